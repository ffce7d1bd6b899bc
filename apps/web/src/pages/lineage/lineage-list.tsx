import { Button } from '../../components/button/button';
import { EntityLink } from '../../components/entity/entity-link';
import { KindAndPath } from '../../components/entity/entity-path';
import { Tile } from '../../components/entity/tile';
import { useCard } from '../../data/use-card';
import { splitUrn } from '../../data/urns';
import { count } from '../../data/words';
import type { LineageNode } from './graph/lineage-graph';
import { CHANGE_WORDS, hopsInWords } from './lineage-words';
import { useOpenNode } from './use-open-node';
import type { ShownLineage } from './use-lineage';
import css from './lineage-page.module.css';

/** The same as the canvas in words, by hops: for screen readers and phones. */
export function LineageList({ shown: { unfolded, trace } }: { readonly shown: ShownLineage }) {
  const degrees = [...new Set(unfolded.nodes.map(({ degree }) => degree))].sort((one, other) => one - other);
  return (
    <div className={css.list}>
      {degrees.map((degree) => (
        <section key={degree}>
          <h2 className={css.degree}>{hopsInWords(degree)}</h2>
          <ul>
            {unfolded.nodes
              .filter((node) => node.degree === degree)
              .map((node) => (
                <Row key={node.urn} node={node} carries={trace.columns} />
              ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function Row({ node, carries }: { readonly node: LineageNode; readonly carries: ReadonlySet<string> }) {
  const card = useCard(node.urn);
  const open = useOpenNode();
  const more = node.moreUpstream + node.moreDownstream;
  return (
    <li className={css.row}>
      <Tile type={card.type} platform={card.platform} />
      <div className={css.words}>
        <EntityLink urn={node.urn} className={css.link}>
          <bdi>{card.name}</bdi>
        </EntityLink>{' '}
        <KindAndPath card={card} />
        {node.change !== undefined && <strong> {CHANGE_WORDS[node.change]}</strong>}
        {node.columns.length > 0 && (
          <p className={css.columns}>
            {node.columns.map((column) => (
              <code key={column} className={carries.has(column) ? css.carries : undefined}>
                {splitUrn(column).key[1]}
              </code>
            ))}
            {node.moreColumns > 0 && <span>{count(node.moreColumns, 'more column')}</span>}
          </p>
        )}
      </div>
      {more > 0 && !node.isOpened && (
        <Button
          size="small"
          onClick={() => open(node)}
          aria-label={`Show ${String(more)} more next to ${card.name}`}
        >
          +{more}
        </Button>
      )}
    </li>
  );
}
