import { useState } from 'react';
import { Button } from '../../../components/button/button';
import { EntityLink } from '../../../components/entity/entity-link';
import { KindAndPath } from '../../../components/entity/entity-path';
import { Tile } from '../../../components/entity/tile';
import { EmptyState, Loaded } from '../../../components/states/states';
import { useCall } from '../../../data/use-call';
import { useCard } from '../../../data/use-card';
import { toWords } from '../../../data/words';
import { useEntityView } from '../entity-context';
import css from '../parts.module.css';

const PAGE = 20;
/** The longest page of a call. */
const MOST = 10_000;

type Direction = 'OUTGOING' | 'INCOMING';

const DIRECTIONS: readonly (readonly [direction: Direction, title: string])[] = [
  ['OUTGOING', 'From here'],
  ['INCOMING', 'To here'],
];

/** Every edge that begins or ends at the entity, by name and direction. The graph knows the present alone. */
export function RelationsTab() {
  const { urn, atMs } = useEntityView();
  const counted = useCall('GET /relationships/counts', { urn }, { isWanted: atMs === undefined });
  if (atMs !== undefined) return <EmptyState title="Relations are known for now only; lineage has a past" />;
  return (
    <Loaded query={counted} what="The relations">
      {({ counts }) => (
        <div className={css.pair}>
          {DIRECTIONS.map(([direction, title]) => {
            const own = counts.filter((each) => each.direction === direction);
            return (
              <section key={direction} className={css.parts}>
                <h2>{title}</h2>
                {own.length === 0 && <p className={css.none}>None</p>}
                {own.map(({ type, count }) => (
                  <Named key={`${urn} ${type}`} type={type} direction={direction} total={count} />
                ))}
              </section>
            );
          })}
        </div>
      )}
    </Loaded>
  );
}

interface NamedProps {
  readonly type: string;
  readonly direction: Direction;
  readonly total: number;
}

function Named({ type, direction, total }: NamedProps) {
  const { urn } = useEntityView();
  const [shown, setShown] = useState(PAGE);
  const edges = useCall(
    'GET /relationships',
    { urn, direction, types: [type], count: shown },
    { keepsFormer: true },
  );
  return (
    <section>
      <h3>
        {toWords(type)} <span className={css.none}>{total.toLocaleString('en')}</span>
      </h3>
      <Loaded query={edges} what="The relations">
        {({ entities }) => (
          <ul className={css.list}>
            {entities.map((each) => (
              <Related key={each} urn={each} />
            ))}
          </ul>
        )}
      </Loaded>
      {total > shown && shown < MOST && (
        <Button
          size="small"
          isBusy={edges.isPlaceholderData}
          onClick={() => setShown(Math.min(MOST, shown + PAGE))}
        >
          {Math.min(PAGE, total - shown)} more
        </Button>
      )}
    </section>
  );
}

function Related({ urn }: { readonly urn: string }) {
  const card = useCard(urn);
  return (
    <li>
      <EntityLink urn={urn} className={css.link}>
        <Tile type={card.type} platform={card.platform} />
        <span className={css.words}>
          <bdi>{card.name}</bdi>
          <KindAndPath card={card} />
        </span>
      </EntityLink>
    </li>
  );
}
