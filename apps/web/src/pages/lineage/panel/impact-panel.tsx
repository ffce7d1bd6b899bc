import type { AnswerOf } from '@stratalog/client';
import { useState } from 'react';
import { Button } from '../../../components/button/button';
import { EntityChip } from '../../../components/entity/entity-link';
import { Banner, Loaded } from '../../../components/states/states';
import { PAGES_PATH } from '../../../data/place';
import { useCall } from '../../../data/use-call';
import { useCard } from '../../../data/use-card';
import { nameFromUrn } from '../../../data/urns';
import { count } from '../../../data/words';
import { countOfType } from '../graph/fold';
import { useChangeAddress, type LineageAddress } from '../lineage-address';
import { Nearest } from './nearest';
import { SaveImpact } from './save-impact';
import css from './panel.module.css';

type Impact = AnswerOf<'GET /lineage/:urn/impact'>;

const NEAREST = 100;
const MOST_OWNERS = 8;

/** Answers what depends on an entity or a column, and whom to ask before it changes. */
export function ImpactPanel({ address }: { readonly address: LineageAddress }) {
  const { urn, column, atMs } = address;
  const past = atMs === undefined ? {} : { asOf: atMs };
  const of = column === undefined ? {} : { column };
  const impact = useCall('GET /lineage/:urn/impact', { urn, count: NEAREST, ...of, ...past });
  return (
    <section className={css.answer}>
      <p className={css.small}>What depends on it</p>
      <Loaded query={impact} what="What depends on it">
        {(answer) => (
          <>
            <h2 className={css.headline}>
              {column === undefined ? (
                'A change'
              ) : (
                <>
                  A change of <code>{column.slice(0, 200)}</code>
                </>
              )}{' '}
              {answer.entities === 0 ? 'reaches nothing that is known' : `reaches ${reached(answer)}`}
            </h2>
            <Owners impact={answer} />
            <Nearest
              title={column === undefined ? 'Nearest first' : 'Columns, nearest first'}
              nearest={answer.nearest}
              total={answer.entities}
            />
            {column !== undefined && <ReadAsAWhole urn={urn} past={past} />}
            {answer.partial === true && (
              <Banner kind="info">A limit cut the lineage: there may be more.</Banner>
            )}
            {answer.filtered !== undefined && (
              <Banner kind="info">
                {count(answer.filtered, 'deleted entity is', 'deleted entities are')} left out.
              </Banner>
            )}
            {answer.entities > 0 && (
              <div className={css.buttons}>
                <CopyMessage impact={answer} />
                <SaveImpact address={address} />
              </div>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

/** "5 columns in 5 tables", "2 charts and 1 dashboard" */
function reached(impact: Impact): string {
  const { column, columns, byType, entities } = impact;
  if (column !== undefined) return `${count(columns, 'column')} in ${inWords(entities, impact)}`;
  const parts = Object.entries(byType)
    .sort(([, one], [, other]) => other - one)
    .map(([type, number]) => countOfType(number, type));
  return new Intl.ListFormat('en-GB').format(parts);
}

/** Entities that are all of one type have its name. */
function inWords(number: number, { byType }: Impact): string {
  const [type, ...others] = Object.keys(byType);
  return type === undefined || others.length > 0
    ? count(number, 'entity', 'entities')
    : countOfType(number, type);
}

function Owners({ impact }: { readonly impact: Impact }) {
  const { owners } = impact;
  if (owners.length === 0) return null;
  return (
    <>
      <h3>Whom to ask</h3>
      <ul className={css.rows}>
        {owners.slice(0, MOST_OWNERS).map(({ owner, entities }) => (
          <li key={owner} className={css.owner}>
            <EntityChip urn={owner} />
            <span className={css.hops}>{inWords(entities, impact)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

interface ReadAsAWholeProps {
  readonly urn: string;
  readonly past: { readonly asOf?: number };
}

/** Charts rarely declare columns: the lineage of a column misses them. */
function ReadAsAWhole({ urn, past }: ReadAsAWholeProps) {
  const change = useChangeAddress();
  const { data } = useCall('GET /lineage/:urn/impact', { urn, count: 0, ...past });
  const reading = (data?.byType.chart ?? 0) + (data?.byType.dashboard ?? 0);
  if (reading === 0) return null;
  return (
    <Banner kind="warning">
      Charts declare no columns.{' '}
      <strong>{count(reading, 'chart or dashboard', 'charts and dashboards')}</strong>{' '}
      {reading === 1 ? 'reads' : 'read'} these tables as a whole.{' '}
      <button
        type="button"
        className={css.inline}
        onClick={() => change({ column: undefined, view: 'list' })}
      >
        Show them
      </button>
    </Banner>
  );
}

function CopyMessage({ impact }: { readonly impact: Impact }) {
  const { name } = useCard(impact.urn);
  const [copied, setCopied] = useState<'copied' | 'failed'>();
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(messageOf(impact, name));
      setCopied('copied');
    } catch {
      setCopied('failed');
    }
  };
  return (
    <>
      <Button kind="primary" icon="copy" onClick={() => void copy()}>
        Copy as a message
      </Button>
      <span role="status">
        {copied === 'copied' && 'Copied'}
        {copied === 'failed' && 'The browser does not permit it'}
      </span>
    </>
  );
}

/** Text with links, for mail and chats. */
function messageOf(impact: Impact, name: string): string {
  const { urn, column, owners, nearest } = impact;
  const link = (of: string): string => `${location.origin}${PAGES_PATH}/e/${encodeURIComponent(of)}`;
  return [
    `A change of ${column === undefined ? name : `${column} in ${name}`} reaches ${reached(impact)}.`,
    link(urn),
    '',
    'Whom to ask:',
    ...owners.map(
      ({ owner, name: of, entities }) =>
        `- ${of ?? nameFromUrn(owner)}: ${count(entities, 'entity', 'entities')}`,
    ),
    '',
    'Nearest first:',
    ...nearest.map(
      ({ entity, degree }) => `- ${nameFromUrn(entity)} (${count(degree, 'hop')}): ${link(entity)}`,
    ),
  ].join('\n');
}
