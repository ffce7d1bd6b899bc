import { EntityLink } from '../../../components/entity/entity-link';
import { Icon } from '../../../components/icon/icon';
import { Banner, Loaded } from '../../../components/states/states';
import { RelativeTime } from '../../../components/text/relative-time';
import { momentText, toMs } from '../../../data/times';
import { useCard } from '../../../data/use-card';
import { count, toWords } from '../../../data/words';
import type { ChangeKind, Comparison } from '../graph/lineage-graph';
import type { LineageAddress } from '../lineage-address';
import { useLineageFocus } from '../lineage-focus';
import type { useLineage } from '../use-lineage';
import css from './panel.module.css';

const MOST = 30;

interface ComparisonPanelProps {
  readonly address: LineageAddress;
  readonly comparison: ReturnType<typeof useLineage>['comparison'];
}

/** What came and what went between two times, and which change did it. */
export function ComparisonPanel({ address: { fromMs, atMs }, comparison }: ComparisonPanelProps) {
  return (
    <section className={css.answer}>
      <p className={css.small}>
        From {momentText(fromMs ?? 0)} to {atMs === undefined ? 'now' : momentText(atMs)}
      </p>
      <Loaded query={comparison} what="The comparison">
        {(answer) => <Answer answer={answer} />}
      </Loaded>
    </section>
  );
}

function Answer({ answer: { entities, edges, partial, purged } }: { readonly answer: Comparison }) {
  const chosen = useLineageFocus();
  const isChosen = edges.changes.some(({ upstream, downstream }) =>
    [upstream, downstream].includes(chosen ?? ''),
  );
  const shown = isChosen
    ? edges.changes.filter(({ upstream, downstream }) => [upstream, downstream].includes(chosen ?? ''))
    : edges.changes;
  return (
    <>
      <h2 className={css.headline}>
        {cameAndWent(entities, 'entity', 'entities') ?? cameAndWent(edges, 'edge') ?? 'Nothing changed'}
      </h2>
      {partial === true && <Banner kind="info">A limit cut the lineage of one of the times.</Banner>}
      {purged !== undefined && (
        <Banner kind="warning">
          The lineage that {count(purged.total, 'entity', 'entities')} had is removed by retention.
        </Banner>
      )}
      {shown.length > 0 && <h3>{isChosen ? 'Edges of the chosen entity' : 'Edges'}</h3>}
      <ul className={css.rows}>
        {shown.slice(0, MOST).map((edge) => (
          <ChangedEdge key={`${edge.upstream} ${edge.downstream} ${edge.type}`} edge={edge} />
        ))}
      </ul>
      {shown.length > MOST && <p className={css.small}>{count(shown.length - MOST, 'more', 'more')}</p>}
    </>
  );
}

type Numbers = Pick<Comparison['edges'], 'added' | 'removed'>;

/** "1 entity came, 2 entities went"; `undefined`: none did. */
function cameAndWent({ added, removed }: Numbers, one: string, many?: string): string | undefined {
  const parts = [
    ...(added === 0 ? [] : [`${count(added, one, many)} came`]),
    ...(removed === 0 ? [] : [`${count(removed, one, many)} went`]),
  ];
  return parts.length === 0 ? undefined : parts.join(', ');
}

function ChangeMark({ change }: { readonly change: ChangeKind }) {
  const isAdded = change === 'added';
  return (
    <span className={isAdded ? css.came : css.went}>
      <Icon name={isAdded ? 'plus' : 'minus'} size={14} />
      <span className="visually-hidden">{isAdded ? 'Came:' : 'Went:'}</span>
    </span>
  );
}

function ChangedEdge({ edge }: { readonly edge: Comparison['edges']['changes'][number] }) {
  const { change, upstream, downstream, changedBy } = edge;
  const timeMs = toMs(changedBy?.time);
  return (
    <li className={css.row}>
      <ChangeMark change={change} />
      <span className={css.words}>
        <span>
          <Name urn={upstream} /> → <Name urn={downstream} />
        </span>
        {changedBy !== undefined && (
          <span className={css.small}>
            {toWords(changedBy.aspectName)} of <Name urn={changedBy.entity} />, version {changedBy.version},
            by <Name urn={changedBy.actor} />
            {timeMs !== undefined && (
              <>
                , <RelativeTime ms={timeMs} />
              </>
            )}
          </span>
        )}
      </span>
    </li>
  );
}

function Name({ urn }: { readonly urn: string }) {
  return (
    <EntityLink urn={urn} className={css.link}>
      <bdi>{useCard(urn).name}</bdi>
    </EntityLink>
  );
}
