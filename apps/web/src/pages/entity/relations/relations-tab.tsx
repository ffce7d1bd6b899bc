import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../components/button/button';
import { EntityLink } from '../../../components/entity/entity-link';
import { KindAndPath } from '../../../components/entity/entity-path';
import { Tile } from '../../../components/entity/tile';
import { EmptyState, Loaded, Skeleton } from '../../../components/states/states';
import { callOptions, useCall } from '../../../data/use-call';
import { useCard } from '../../../data/use-card';
import { toWords } from '../../../data/words';
import { useEntityView } from '../entity-context';
import css from '../parts.module.css';

const PAGE = 20;
const ALL = 1_000;

/** Every edge that begins or ends at the entity, by name and direction. The graph knows the present alone. */
export function RelationsTab() {
  const { urn, model, atMs } = useEntityView();
  const incoming = useIncomingNames(model.name);
  if (atMs !== undefined) return <EmptyState title="Relations are known for now only; lineage has a past" />;
  if (incoming === undefined) return <Skeleton lines={6} />;
  const outgoing = [...new Set(model.relationships.map(({ name }) => name))];
  return (
    <div className={css.pair}>
      <Direction key={`out ${urn}`} title="From here" direction="OUTGOING" types={outgoing} />
      <Direction key={`in ${urn}`} title="To here" direction="INCOMING" types={incoming} />
    </div>
  );
}

/** The names of the relationships of other types that may end at this one. */
function useIncomingNames(type: string): readonly string[] | undefined {
  const { data: all } = useCall('GET /models/entities', undefined, { isLasting: true });
  return useQueries({
    queries: (all?.entities ?? []).map(({ name }) => ({
      ...callOptions('GET /models/entities/:name', { name }),
      staleTime: Infinity,
    })),
    combine: (results) => {
      if (results.length === 0 || results.some(({ isPending }) => isPending)) return undefined;
      const names = results.flatMap(({ data }) =>
        (data?.relationships ?? []).flatMap(({ name, entityTypes }) =>
          entityTypes.length === 0 || entityTypes.includes(type) ? [name] : [],
        ),
      );
      return [...new Set(names)];
    },
  });
}

interface DirectionProps {
  readonly title: string;
  readonly direction: 'OUTGOING' | 'INCOMING';
  readonly types: readonly string[];
}

function Direction({ title, direction, types }: DirectionProps) {
  const { urn } = useEntityView();
  const edges = useCall(
    'GET /relationships',
    { urn, direction, types: [...types], count: ALL },
    { isWanted: types.length > 0 },
  );
  return (
    <section className={css.parts}>
      <h2>{title}</h2>
      {types.length === 0 ? (
        <p className={css.none}>None</p>
      ) : (
        <Loaded query={edges} what="The relations">
          {({ relationships, total }) => (
            <>
              {relationships.length === 0 && <p className={css.none}>None</p>}
              {[...new Set(relationships.map(({ type }) => type))].map((type) => (
                <Named
                  key={type}
                  type={type}
                  urns={relationships.flatMap((each) => (each.type === type ? [each.entity] : []))}
                />
              ))}
              {total > relationships.length && (
                <p className={css.none}>
                  {(total - relationships.length).toLocaleString('en')} more are not shown
                </p>
              )}
            </>
          )}
        </Loaded>
      )}
    </section>
  );
}

function Named({ type, urns }: { readonly type: string; readonly urns: readonly string[] }) {
  const [shown, setShown] = useState(PAGE);
  return (
    <section>
      <h3>
        {toWords(type)} <span className={css.none}>{urns.length.toLocaleString('en')}</span>
      </h3>
      <ul className={css.list}>
        {urns.slice(0, shown).map((urn) => (
          <Related key={urn} urn={urn} />
        ))}
      </ul>
      {urns.length > shown && (
        <Button size="small" onClick={() => setShown(shown + PAGE)}>
          {Math.min(PAGE, urns.length - shown)} more
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
