import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { AnswerOf } from '@stratalog/client';
import { Button } from '../../../components/button/button';
import { Segmented } from '../../../components/button/segmented';
import { EntityChip, EntityLink } from '../../../components/entity/entity-link';
import { SidePanel } from '../../../components/panel/side-panel';
import { DeedFault, isForbidden } from '../../../components/states/deed-fault';
import { EmptyState, Loaded } from '../../../components/states/states';
import { useCall } from '../../../data/use-call';
import { useCard } from '../../../data/use-card';
import { useDeed } from '../../../data/use-deed';
import { toStored } from '../../entity/edit/save';
import css from '../operate.module.css';
import { BrokenRules } from './broken-rules';
import { EditTest } from './edit-test';
import { Counts } from './tests-page';

const route = getRouteApi('/operate/tests');
const RESULTS = 'GET /tests/:urn/results';
type Result = NonNullable<AnswerOf<typeof RESULTS>>['results'][number];

const OUTCOMES = [
  { value: 'failing', label: 'Failing' },
  { value: 'error', label: 'Errors' },
  { value: 'passing', label: 'Passing' },
] as const;
const PAGE_SIZE = 50;
const MOST = 1_000;

/** A test with its results, and the entities of one outcome. */
export function TestPanel({ urn, close }: { readonly urn: string; readonly close: () => void }) {
  const search = route.useSearch();
  const navigate = useNavigate();
  const { name } = useCard(urn);
  const [count, setCount] = useState(PAGE_SIZE);
  const outcome = OUTCOMES.find(({ value }) => value === search.outcome)?.value ?? 'failing';
  const results = useCall(RESULTS, { urn, outcome, count }, { keepsFormer: true });
  return (
    <SidePanel title={<bdi>{name}</bdi>} label={`Test ${name}`} onClose={close}>
      <Counts urn={urn} />
      <EvaluateOne urn={urn} />
      <Definition urn={urn} />
      <p>
        <EntityLink urn={urn}>The page of the test, with its history</EntityLink>
      </p>
      <Segmented
        label="Outcome"
        value={outcome}
        options={OUTCOMES}
        onChange={(next) =>
          void navigate({ to: '/operate/tests/$urn', params: { urn }, search: { outcome: next } })
        }
      />
      <Loaded query={results} what="The results">
        {(page) =>
          page.results.length === 0 ? (
            <EmptyState title="No entities with this outcome" />
          ) : (
            <>
              <ul>
                {page.results.map((result) => (
                  <li key={result.urn} className={css.line}>
                    <OneResult test={urn} result={result} />
                  </li>
                ))}
              </ul>
              {page.next !== undefined && count < MOST && (
                <Button onClick={() => setCount(Math.min(MOST, count + PAGE_SIZE))}>More entities</Button>
              )}
            </>
          )
        }
      </Loaded>
    </SidePanel>
  );
}

/** What the test says, with a button to edit it. */
function Definition({ urn }: { readonly urn: string }) {
  const [isEdited, setEdited] = useState(false);
  const read = useCall('GET /entitiesV2/:urn', { urn, aspects: ['testInfo'] });
  const written = read.data?.aspects.testInfo;
  if (written === undefined) return null;
  if (!isEdited)
    return (
      <div>
        <Button icon="code" onClick={() => setEdited(true)}>
          Edit the definition
        </Button>
      </div>
    );
  return <EditTest urn={urn} read={toStored(written)} onClose={() => setEdited(false)} />;
}

function OneResult({ test, result }: { readonly test: string; readonly result: Result }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <EntityChip urn={result.urn} />
      {result.outcome === 'failing' && (
        <button
          type="button"
          className={css.link}
          aria-expanded={isOpen}
          aria-label={`Why ${result.urn} fails`}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Less' : 'Why'}
        </button>
      )}
      {result.reason !== undefined && (
        <span className={css.note}>
          <bdi>{result.reason}</bdi>
        </span>
      )}
      {isOpen && <BrokenRules test={test} urn={result.urn} />}
    </>
  );
}

/** Has one test evaluated for all entities; a dry run writes nothing. */
function EvaluateOne({ urn }: { readonly urn: string }) {
  const navigate = useNavigate();
  const evaluate = useDeed('POST /test?action=evaluateAll', ['GET /operations/tasks']);
  const run = (dryRun: boolean): void =>
    evaluate.mutate(
      { tests: [urn], dryRun },
      {
        onSuccess: ({ answer: { task } }) =>
          void navigate({ to: '/operate/tasks/$task', params: { task }, search: {} }),
      },
    );
  return (
    <>
      <div className={css.row}>
        <Button
          icon="play"
          isBusy={evaluate.isPending}
          disabled={isForbidden(evaluate.error)}
          onClick={() => run(false)}
        >
          Evaluate
        </Button>
        <Button
          kind="quiet"
          disabled={evaluate.isPending || isForbidden(evaluate.error)}
          onClick={() => run(true)}
        >
          Dry run
        </Button>
      </div>
      <DeedFault error={evaluate.error} />
    </>
  );
}
