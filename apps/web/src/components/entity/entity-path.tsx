import { useCards } from '../../data/use-card';
import { isUrn, splitUrn } from '../../data/urns';
import { platformLook } from '../../data/platforms';
import type { EntityCard } from '../../data/entity-card';
import css from './entity.module.css';

/** The containers of an entity by name, without the platform: "brightspoke / mart". */
function usePathText({ path, platform }: Pick<EntityCard, 'path' | 'platform'>): string {
  const urns = path.filter(isUrn).slice(0, 6);
  const cards = useCards(urns);
  const names = path.slice(0, 6).map((step) => cards.find(({ urn }) => urn === step)?.name ?? step);
  const text = names.filter((name) => splitUrn(name).type !== 'dataPlatform').join(' / ');
  return text === '' && platform !== undefined ? platformLook(platform).name : text;
}

/** "Table · brightspoke / mart" */
export function KindAndPath({ card }: { readonly card: EntityCard }) {
  const path = usePathText(card);
  return (
    <span className={css.kind}>
      {card.kind}
      {path !== '' && (
        <>
          {' · '}
          <bdi>{path}</bdi>
        </>
      )}
    </span>
  );
}
