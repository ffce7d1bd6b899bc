import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../../components/button/button';
import { DeedFault, isForbidden } from '../../../components/states/deed-fault';
import { EmptyState, Loaded } from '../../../components/states/states';
import { DataTable, type TableColumn } from '../../../components/table/data-table';
import { StatusChip } from '../../../components/status/status-chip';
import { useCall } from '../../../data/use-call';
import { useDeed } from '../../../data/use-deed';
import { useCard } from '../../../data/use-card';
import { count } from '../../../data/words';
import { OperatePage } from '../operate-parts';
import css from '../operate.module.css';
import { TestPanel } from './test-panel';

const MOST = 100;

/** What the metadata must fulfil, and how entities do at it. */
export function TestsPage() {
  const { urn } = useParams({ strict: false });
  const navigate = useNavigate();
  const found = useCall('POST /entities?action=search', {
    entity: 'test',
    input: '*',
    start: 0,
    count: MOST,
  });
  const urns = found.data?.metadata.urns ?? [];
  return (
    <OperatePage
      title="Metadata tests"
      deeds={<EvaluateAll />}
      panel={
        urn !== undefined && (
          <TestPanel key={urn} urn={urn} close={() => void navigate({ to: '/operate/tests', search: {} })} />
        )
      }
    >
      <Loaded query={found} what="The metadata tests">
        {({ numEntities }) =>
          urns.length === 0 ? (
            <EmptyState title="No metadata tests yet">
              <p>
                A test is an entity of the type test: it says which entities it is about, and which rules they
                pass.
              </p>
            </EmptyState>
          ) : (
            <>
              <DataTable
                label="Metadata tests"
                columns={COLUMNS}
                rows={urns}
                keyOf={(each) => each}
                selected={urn}
              />
              {numEntities > MOST && (
                <p className={css.note}>
                  The first {MOST} of {numEntities.toLocaleString('en')}.
                </p>
              )}
            </>
          )
        }
      </Loaded>
    </OperatePage>
  );
}

/** Every test for every entity, as a dry run or for good. */
function EvaluateAll() {
  const navigate = useNavigate();
  const evaluate = useDeed('POST /test?action=evaluateAll', ['GET /operations/tasks']);
  const [isDry, setDry] = useState(false);
  return (
    <>
      <label className={css.row}>
        <input type="checkbox" checked={isDry} onChange={({ target }) => setDry(target.checked)} /> Dry run:
        write nothing
      </label>
      <Button
        kind="primary"
        icon="play"
        isBusy={evaluate.isPending}
        disabled={isForbidden(evaluate.error)}
        onClick={() =>
          evaluate.mutate(
            { dryRun: isDry },
            {
              onSuccess: ({ answer: { task } }) =>
                void navigate({ to: '/operate/tasks/$task', params: { task }, search: {} }),
            },
          )
        }
      >
        Evaluate every test
      </Button>
      <DeedFault error={evaluate.error} />
    </>
  );
}

const COLUMNS: readonly TableColumn<string>[] = [
  { name: 'name', header: 'Test', cell: (urn) => <TestName urn={urn} /> },
  { name: 'passing', header: 'Results', cell: (urn) => <Counts urn={urn} /> },
];

function TestName({ urn }: { readonly urn: string }) {
  const { name, description } = useCard(urn);
  return (
    <span className={css.two}>
      <Link to="/operate/tests/$urn" params={{ urn }} search={{}}>
        <bdi>{name}</bdi>
      </Link>
      {description !== undefined && (
        <span className={css.note}>
          <bdi>{description.slice(0, 200)}</bdi>
        </span>
      )}
    </span>
  );
}

export function Counts({ urn }: { readonly urn: string }) {
  const { data, error } = useCall('GET /tests/:urn/results', { urn, count: 0 });
  if (data === undefined) return error === null ? '…' : <span className={css.note}>not known</span>;
  const { passing, failing, error: faulty } = data.counts;
  if (passing + failing + faulty === 0)
    return <span className={`${css.note ?? ''} ${css.whole ?? ''}`}>No results yet</span>;
  return (
    <span className={css.row}>
      <StatusChip look="good" icon="circleCheck">
        {count(passing, 'passes', 'pass')}
      </StatusChip>
      {failing > 0 && (
        <StatusChip look="bad" icon="circleX">
          {count(failing, 'fails', 'fail')}
        </StatusChip>
      )}
      {faulty > 0 && (
        <StatusChip look="warning" icon="circleAlert">
          {count(faulty, 'error')}
        </StatusChip>
      )}
    </span>
  );
}
