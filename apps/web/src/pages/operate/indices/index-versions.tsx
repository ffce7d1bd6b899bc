import { Link } from '@tanstack/react-router';
import type { AnswerOf } from '@stratalog/client';
import { useState } from 'react';
import { Button } from '../../../components/button/button';
import { ConfirmDialog } from '../../../components/overlay/confirm-dialog';
import { Progress } from '../../../components/progress/progress';
import { StatusChip } from '../../../components/status/status-chip';
import { ErrorState, Skeleton } from '../../../components/states/states';
import { useCall } from '../../../data/use-call';
import { useDeed } from '../../../data/use-deed';
import { Card } from '../operate-parts';
import css from '../operate.module.css';

const DESCRIBE = 'POST /operations?action=describeIndex';
type IndexKind = 'search' | 'graph' | 'timeseries';
type Described = NonNullable<AnswerOf<typeof DESCRIBE>>;

const INDEX_WORDS: Readonly<Record<IndexKind, string>> = {
  search: 'the search index',
  graph: 'the relationship graph',
  timeseries: 'the index of timeseries values',
};
const LABELS: Readonly<Record<IndexKind, string>> = {
  search: 'Search',
  graph: 'Relationships',
  timeseries: 'Timeseries',
};
const EVERYWHERE = ['search', 'graph'] as const;
const BUSY_MS = 2_000;
const IDLE_MS = 15_000;

/** The version of each index that answers, and the one that is being built. */
export function IndexVersions() {
  const [asked, setAsked] = useState<IndexKind>();
  const [task, setTask] = useState<string>();
  const health = useCall('GET /operations/health', undefined);
  // The distributed profile alone has one for timeseries.
  const kinds = health.data?.instances === undefined ? EVERYWHERE : ([...EVERYWHERE, 'timeseries'] as const);
  return (
    <Card title="Indices" note="Derived from the store, and built again without loss">
      {kinds.map((kind) => (
        <IndexLine key={kind} kind={kind} rebuild={() => setAsked(kind)} />
      ))}
      {task !== undefined && (
        <p role="status">
          The rebuild has begun:{' '}
          <Link to="/operate/tasks/$task" params={{ task }}>
            follow the task
          </Link>
        </p>
      )}
      {asked !== undefined && (
        <Rebuild
          kind={asked}
          onBegun={(name) => {
            setAsked(undefined);
            setTask(name);
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </Card>
  );
}

function IndexLine({ kind, rebuild }: { readonly kind: IndexKind; readonly rebuild: () => void }) {
  const [isBusy, setBusy] = useState(false);
  const { data, error, refetch } = useCall(
    DESCRIBE,
    { index: kind },
    { refreshMs: isBusy ? BUSY_MS : IDLE_MS },
  );
  if (data === undefined)
    return error === null ? (
      <Skeleton lines={1} />
    ) : (
      <ErrorState error={error} what={LABELS[kind]} retry={() => void refetch()} />
    );
  if ((data.state !== 'live') !== isBusy) setBusy(data.state !== 'live');
  return (
    <div className={css.line}>
      <strong>{LABELS[kind]}</strong>
      <IndexState described={data} />
      {data.live !== undefined && (
        <span>
          <span className={css.note}>live</span> <code>{data.live}</code>
        </span>
      )}
      {data.building !== undefined && (
        <span>
          <span className={css.note}>building</span> <code>{data.building}</code>
        </span>
      )}
      {data.state !== 'live' && (
        <span className={css.wide}>
          <Progress label={`Build of ${INDEX_WORDS[kind]}`} done={data.done ?? 0} total={data.total} />
          {(data.done ?? 0).toLocaleString('en')} of {(data.total ?? 0).toLocaleString('en')} entities
        </span>
      )}
      <span className={css.end}>
        <Button
          size="small"
          aria-label={`Rebuild ${INDEX_WORDS[kind]}`}
          disabled={data.state !== 'live'}
          onClick={rebuild}
        >
          Rebuild
        </Button>
      </span>
    </div>
  );
}

function IndexState({ described: { state } }: { readonly described: Described }) {
  if (state === 'live')
    return (
      <StatusChip look="good" icon="circleCheck">
        Live
      </StatusChip>
    );
  return state === 'rebuilding' ? (
    <StatusChip look="active" icon="loader">
      Rebuilding, the old one answers
    </StatusChip>
  ) : (
    <StatusChip look="warning" icon="loader">
      Building, nothing answers yet
    </StatusChip>
  );
}

interface RebuildProps {
  readonly kind: IndexKind;
  readonly onBegun: (task: string) => void;
  readonly onClose: () => void;
}

function Rebuild({ kind, onBegun, onClose }: RebuildProps) {
  const rebuild = useDeed('POST /operations?action=rebuildIndices', [DESCRIBE, 'GET /operations/tasks']);
  const { data } = useCall('POST /entities?action=searchAcrossEntities', {
    input: '*',
    start: 0,
    count: 0,
    facets: [],
  });
  const found =
    data === undefined ? 'All entities' : `At least ${data.numEntities.toLocaleString('en')} entities`;
  return (
    <ConfirmDialog
      title={`Rebuild ${INDEX_WORDS[kind]}`}
      deed={`Rebuild ${INDEX_WORDS[kind]}`}
      isBusy={rebuild.isPending}
      error={rebuild.error}
      onClose={onClose}
      onConfirm={() => rebuild.mutate({ index: kind }, { onSuccess: ({ answer }) => onBegun(answer.task) })}
    >
      <p>
        {found} are read from the store and written to a new version. The old one answers meanwhile, and takes
        changes in. Until the new one replaces it, both need their place on the disk, and the store has more
        to read.
      </p>
      <p>The task can be paused and cancelled at any time.</p>
    </ConfirmDialog>
  );
}
