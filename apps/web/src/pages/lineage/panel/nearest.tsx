import { EntityLink } from '../../../components/entity/entity-link';
import { KindAndPath } from '../../../components/entity/entity-path';
import { Tile } from '../../../components/entity/tile';
import { useCard } from '../../../data/use-card';
import { count } from '../../../data/words';
import css from './panel.module.css';

const SHOWN = 20;

interface Found {
  readonly entity: string;
  readonly degree: number;
}

interface NearestProps {
  readonly title: string;
  readonly nearest: readonly Found[];
  readonly total: number;
}

export function Nearest({ title, nearest, total }: NearestProps) {
  if (nearest.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul className={css.rows}>
        {nearest.slice(0, SHOWN).map((found) => (
          <Row key={found.entity} found={found} />
        ))}
      </ul>
      {total > SHOWN && <p className={css.small}>{count(total - SHOWN, 'more', 'more')}</p>}
    </>
  );
}

function Row({ found: { entity, degree } }: { readonly found: Found }) {
  const card = useCard(entity);
  return (
    <li className={css.row}>
      <Tile type={card.type} platform={card.platform} />
      <span className={css.words}>
        <EntityLink urn={entity} className={css.link}>
          <bdi>{card.name}</bdi>
        </EntityLink>
        <KindAndPath card={card} />
      </span>
      <span className={css.hops}>{count(degree, 'hop')}</span>
    </li>
  );
}
