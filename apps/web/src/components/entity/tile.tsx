import { platformLook } from '../../data/platforms';
import { Icon, type IconName } from '../icon/icon';
import css from './entity.module.css';

const TYPE_ICONS: Readonly<Record<string, IconName>> = {
  assertion: 'shieldCheck',
  chart: 'chartColumn',
  container: 'folder',
  corpGroup: 'users',
  corpuser: 'user',
  dashboard: 'layoutDashboard',
  dataFlow: 'workflow',
  dataJob: 'workflow',
  dataPlatform: 'database',
  dataset: 'database',
  domain: 'layers',
  glossaryNode: 'bookOpen',
  glossaryTerm: 'bookOpen',
  incident: 'circleAlert',
  tag: 'tag',
};

interface TileProps {
  readonly type: string;
  readonly platform?: string | undefined;
  readonly size?: 'small' | 'medium' | 'large';
}

/** A small square that tells where an entity lives: two letters of its platform, else the icon of its type. */
export function Tile({ type, platform, size = 'medium' }: TileProps) {
  const of = platform ?? undefined;
  if (of === undefined) {
    return (
      <span className={`${css.tile ?? ''} ${css[size] ?? ''} ${css.plain ?? ''}`} aria-hidden="true">
        <Icon name={TYPE_ICONS[type] ?? 'box'} size={14} />
      </span>
    );
  }
  const { letters, colour } = platformLook(of);
  return (
    <span className={`${css.tile ?? ''} ${css[size] ?? ''} ${css[colour] ?? ''}`} aria-hidden="true">
      {letters}
    </span>
  );
}
