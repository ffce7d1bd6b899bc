import type { AnswerOf } from '@stratalog/client';
import { EntityChip, EntityLink } from '../../components/entity/entity-link';
import { RelativeTime } from '../../components/text/relative-time';
import { useCard } from '../../data/use-card';
import { count, toWords } from '../../data/words';
import { runOf } from '../entity/history/group-changes';
import css from './deed-list.module.css';

export type CatalogChange = AnswerOf<'GET /changes'>['changes'][number];

const MOST_ASPECTS = 2;
/** They follow from other aspects, or from the urn, and tell nobody anything. */
const TECHNICAL = /Key$|^(?:browsePaths|dataPlatformInstance)/;

interface DeedListProps {
  readonly changes: readonly CatalogChange[];
  /** Of the deeds that are shown. */
  readonly most?: number;
}

/** What people and connectors did, the newest first. */
export function DeedList({ changes, most }: DeedListProps) {
  const deeds = gather(changes.filter(({ aspectName }) => !TECHNICAL.test(aspectName)));
  if (deeds.length === 0) return <p className={css.none}>Nothing has changed.</p>;
  return (
    <ul className={css.list}>
      {deeds.slice(0, most).map((deed) => (
        <Deed key={keyOf(deed[0])} deed={deed} />
      ))}
    </ul>
  );
}

type DeedChanges = readonly [CatalogChange, ...CatalogChange[]];

/** Changes of one run belong together, and those of one actor to one entity. */
function gather(changes: readonly CatalogChange[]): readonly DeedChanges[] {
  const deeds = new Map<string, [CatalogChange, ...CatalogChange[]]>();
  for (const change of changes) {
    const known = deeds.get(keyOf(change));
    if (known === undefined) deeds.set(keyOf(change), [change]);
    else known.push(change);
  }
  return [...deeds.values()];
}

function keyOf(change: CatalogChange): string {
  return `${change.actor} ${runOf(change) ?? change.urn}`;
}

function Deed({ deed }: { readonly deed: DeedChanges }) {
  const [{ actor, time, urn }] = deed;
  const others = new Set(deed.map((each) => each.urn)).size - 1;
  return (
    <li className={css.deed}>
      <span>
        <EntityChip urn={actor} /> {whatItDid(deed)}{' '}
        <EntityLink urn={urn} className={css.strong}>
          <bdi>{useCard(urn).name}</bdi>
        </EntityLink>
        {others > 0 && ` and ${count(others, 'more entity', 'more entities')}`}
      </span>
      <span className={css.count}>
        <RelativeTime ms={time} />
      </span>
    </li>
  );
}

/** "changed ownership, global tags of", "wrote 9 aspects of" */
function whatItDid(deed: DeedChanges): string {
  const aspects = [...new Set(deed.map(({ aspectName }) => toWords(aspectName).toLowerCase()))];
  const named = aspects.length > MOST_ASPECTS ? count(aspects.length, 'aspect') : aspects.join(', ');
  const isEach = (kind: CatalogChange['kind']): boolean => deed.every((each) => each.kind === kind);
  const verb = isEach('DELETED') ? 'deleted' : isEach('CREATED') ? 'wrote' : 'changed';
  return `${verb} ${named} of`;
}
