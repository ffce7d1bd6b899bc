import { Link, getRouteApi, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../../components/button/button';
import { EntityChip } from '../../../components/entity/entity-link';
import { Progress } from '../../../components/progress/progress';
import { EmptyState, Loaded, Skeleton } from '../../../components/states/states';
import { DataTable, type TableColumn } from '../../../components/table/data-table';
import { RelativeTime } from '../../../components/text/relative-time';
import { useCall } from '../../../data/use-call';
import { Live, OperatePage } from '../operate-parts';
import css from '../operate.module.css';
import { useTaskStream } from './follow-task';
import { TaskPanel } from './task-panel';
import { TaskState } from './task-state';
import { isActive, kindInWords, progressText, subjectOf, type ListedTask } from './tasks';
import { useTaskKeys } from './use-task-keys';

const route = getRouteApi('/operate/tasks');
const PAGE_SIZE = 200;
const BUSY_MS = 2_000;
const IDLE_MS = 15_000;

const GROUPS = ['all', 'active', 'failed', 'completed'] as const;
const GROUP_WORDS = { all: 'All', active: 'Active', failed: 'Failed', completed: 'Completed' } as const;
type Group = (typeof GROUPS)[number];

function isIn(group: Group, task: ListedTask): boolean {
  if (group === 'all') return true;
  return group === 'active' ? isActive(task) : task.state === group;
}

/** What the catalog does in the background: the list, and one task beside it. */
export function TasksPage() {
  const search = route.useSearch();
  const { task } = useParams({ strict: false });
  const navigate = useNavigate();
  const [count, setCount] = useState(PAGE_SIZE);
  const [isBusy, setBusy] = useState(true);
  const isTold = useTaskStream(count);
  const listed = useCall(
    'GET /operations/tasks',
    { count },
    { keepsFormer: true, refreshMs: isTold ? false : isBusy ? BUSY_MS : IDLE_MS },
  );
  const tasks = listed.data?.tasks ?? [];
  const busyNow = tasks.some(isActive);
  if (listed.data !== undefined && busyNow !== isBusy) setBusy(busyNow);
  const kinds = [...new Set(tasks.map(({ kind }) => kind))].sort();
  const ofKind = tasks.filter(({ kind }) => search.kind === undefined || kind === search.kind);
  const group = GROUPS.find((each) => each === search.state) ?? 'all';
  const shown = ofKind.filter((each) => isIn(group, each));
  useTaskKeys(tasks.find((each) => each.task === task));
  return (
    <OperatePage
      title="Tasks"
      deeds={<Live isLive={isTold}>{isTold ? 'Live' : isBusy ? 'Read every 2 s' : 'Read every 15 s'}</Live>}
      panel={
        task !== undefined && (
          <TaskPanel key={task} name={task} close={() => void navigate({ to: '/operate/tasks', search })} />
        )
      }
    >
      <div className={css.row}>
        {GROUPS.map((each) => (
          <button
            key={each}
            type="button"
            className={css.chip}
            aria-pressed={each === group}
            onClick={() =>
              void navigate({
                to: '/operate/tasks',
                search: { ...search, ...(each === 'all' ? { state: undefined } : { state: each }) } as object,
              })
            }
          >
            {GROUP_WORDS[each]} <span>{ofKind.filter((one) => isIn(each, one)).length}</span>
          </button>
        ))}
        <label className={css.field}>
          <span className="visually-hidden">Kind</span>
          <select
            value={search.kind ?? ''}
            onChange={({ target: { value } }) =>
              void navigate({
                to: '/operate/tasks',
                search: { ...search, kind: value === '' ? undefined : value } as object,
              })
            }
          >
            <option value="">Any kind</option>
            {kinds.map((kind) => (
              <option key={kind} value={kind}>
                {kindInWords(kind)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Loaded query={listed} what="The tasks" skeleton={<Skeleton lines={8} />}>
        {() =>
          shown.length === 0 ? (
            <EmptyState title={tasks.length === 0 ? 'No tasks yet' : 'No such tasks'}>
              <p>
                Rebuilds, truncations and evaluations appear here. Begin one at{' '}
                <Link to="/operate/indices">Indices and sizes</Link> or{' '}
                <Link to="/operate/tests">Metadata tests</Link>.
              </p>
            </EmptyState>
          ) : (
            <DataTable
              label="Tasks"
              columns={COLUMNS}
              rows={shown}
              keyOf={(each) => each.task}
              selected={task}
            />
          )
        }
      </Loaded>
      {tasks.length >= count && <Button onClick={() => setCount(count + PAGE_SIZE)}>Older tasks</Button>}
    </OperatePage>
  );
}

const COLUMNS: readonly TableColumn<ListedTask>[] = [
  {
    name: 'task',
    header: 'Task',
    cell: (task) => (
      <span className={css.two}>
        <Link to="/operate/tasks/$task" params={{ task: task.task }} search={(search) => search}>
          {kindInWords(task.kind)}
        </Link>
        <span className={css.note}>{subjectOf(task)}</span>
      </span>
    ),
  },
  { name: 'state', header: 'State', cell: ({ state }) => <TaskState state={state} /> },
  { name: 'progress', header: 'Progress', cell: (task) => <TaskProgress task={task} /> },
  { name: 'by', header: 'By', cell: ({ requestedBy }) => <EntityChip urn={requestedBy} /> },
  {
    name: 'began',
    header: 'Began',
    isNumber: true,
    cell: ({ startedMillis }) => (startedMillis === undefined ? '–' : <RelativeTime ms={startedMillis} />),
  },
];

function TaskProgress({ task }: { readonly task: ListedTask }) {
  const { state, waitsFor, reason, progress } = task;
  if (waitsFor !== undefined && state === 'queued')
    return <span className={css.wide}>Waits for task {waitsFor}</span>;
  return (
    <span className={css.wide}>
      <Progress
        label={`Progress of ${kindInWords(task.kind)}`}
        done={state === 'completed' ? 1 : progress.done}
        total={state === 'completed' ? 1 : (progress.total ?? (isActive(task) ? undefined : 0))}
        look={progressLook(state)}
      />
      {state === 'failed' ? <span className={css.bad}>{reason}</span> : progressText(task)}
    </span>
  );
}

export function progressLook(state: ListedTask['state']): 'active' | 'good' | 'failed' | 'paused' {
  if (state === 'completed') return 'good';
  if (state === 'failed') return 'failed';
  return state === 'running' || state === 'queued' ? 'active' : 'paused';
}
