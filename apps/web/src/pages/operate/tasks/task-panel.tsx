import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Button } from '../../../components/button/button';
import { EntityChip } from '../../../components/entity/entity-link';
import { JsonTree } from '../../../components/json-tree/json-tree';
import { SidePanel } from '../../../components/panel/side-panel';
import { Progress, percentOf } from '../../../components/progress/progress';
import { DeedFault, isForbidden } from '../../../components/states/deed-fault';
import { Banner, Loaded } from '../../../components/states/states';
import { momentText } from '../../../data/times';
import { useCall } from '../../../data/use-call';
import { useDeed } from '../../../data/use-deed';
import { Facts } from '../operate-parts';
import css from '../operate.module.css';
import { useFollowed } from './follow-task';
import { StartAgain } from './start-again';
import { TaskState } from './task-state';
import { progressLook } from './tasks-page';
import { isActive, kindInWords, progressText, secondsInWords, subjectOf, type Task } from './tasks';

const REFRESH_MS = 2_000;

interface TaskPanelProps {
  readonly name: string;
  readonly close: () => void;
}

export function TaskPanel({ name, close }: TaskPanelProps) {
  const [isBusy, setBusy] = useState(true);
  const query = useCall(
    'GET /operations/tasks/:task',
    { task: name },
    { refreshMs: isBusy ? REFRESH_MS : false },
  );
  const task = useFollowed(query.data);
  if (query.data !== undefined && isActive(query.data) !== isBusy) setBusy(isActive(query.data));
  return (
    <SidePanel
      title={task === undefined ? 'Task' : kindInWords(task.kind)}
      label={`Task ${name}`}
      onClose={close}
    >
      <Loaded query={{ ...query, data: task }} what="The task">
        {(known) => <Details task={known} />}
      </Loaded>
    </SidePanel>
  );
}

function Details({ task }: { readonly task: Task }) {
  const { state, progress, waitsFor, reason, outcome, log } = task;
  return (
    <>
      <p className={css.row}>
        <TaskState state={state} /> <span className={css.note}>task {task.task}</span>
      </p>
      <Advance task={task} />
      {state === 'failed' && (
        <Banner kind="bad">
          {reason === undefined ? 'The catalog gives no reason.' : <bdi>{reason}</bdi>}
        </Banner>
      )}
      <Deeds task={task} />
      {waitsFor !== undefined && isActive(task) && (
        <Banner kind="info">
          Waits for{' '}
          <Link to="/operate/tasks/$task" params={{ task: waitsFor }}>
            task {waitsFor}
          </Link>
          , which is about the same.
        </Banner>
      )}
      <Facts
        of={[
          ['About', subjectOf(task) === '' ? '–' : subjectOf(task)],
          ['Asked by', <EntityChip key="by" urn={task.requestedBy} />],
          ['Asked', momentText(task.createdMillis)],
          ['Began', task.startedMillis === undefined ? 'Not yet' : momentText(task.startedMillis)],
          ...(task.endedMillis === undefined ? [] : [['Ended', momentText(task.endedMillis)] as const]),
          ['Worked', secondsInWords(task.workedMillis / 1_000)],
          ...(progress.perSecond === undefined
            ? []
            : [['Rate', `${Math.round(progress.perSecond).toLocaleString('en')} per second`] as const]),
          ...(task.owner === undefined ? [] : [['Works in', <code key="owner">{task.owner}</code>] as const]),
        ]}
      />
      {outcome !== undefined && (
        <section>
          <h3>Result</h3>
          <JsonTree value={outcome} />
        </section>
      )}
      <section>
        <h3>Log</h3>
        <pre className={css.log} tabIndex={0} aria-label="Log of the task">
          {log.map(({ time, text }) => `${new Date(time).toLocaleTimeString('en-GB')} ${text}`).join('\n')}
        </pre>
      </section>
    </>
  );
}

/** Says every quarter aloud, and the end. */
function Advance({ task }: { readonly task: Task }) {
  const { state, progress } = task;
  const percent = progress.total === undefined ? undefined : percentOf(progress.done, progress.total);
  const quarter = percent === undefined ? 0 : Math.floor(percent / 25) * 25;
  const [said, setSaid] = useState('');
  useEffect(() => {
    setSaid(isActive(task) ? `${String(quarter)} percent` : `The task is ${state}`);
    // A new state or quarter alone is worth a word.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [quarter, state]);
  return (
    <div className={css.wide}>
      <p>
        {percent !== undefined && <strong className={css.number}>{percent} % </strong>}
        {progressText(task)}
      </p>
      <Progress
        label="Progress"
        done={state === 'completed' ? 1 : progress.done}
        total={state === 'completed' ? 1 : (progress.total ?? (isActive(task) ? undefined : 0))}
        look={progressLook(state)}
      />
      {progress.secondsLeft !== undefined && state === 'running' && (
        <p>about {secondsInWords(progress.secondsLeft)} left</p>
      )}
      <span className="visually-hidden" role="status">
        {said}
      </span>
    </div>
  );
}

function Deeds({ task }: { readonly task: Task }) {
  const changes = ['GET /operations/tasks', 'GET /operations/tasks/:task'] as const;
  const pause = useDeed('POST /operations?action=pauseTask', changes);
  const resume = useDeed('POST /operations?action=resumeTask', changes);
  const cancel = useDeed('POST /operations?action=cancelTask', changes);
  const { state } = task;
  const error = pause.error ?? resume.error ?? cancel.error;
  const isLocked = isForbidden(error);
  if (!isActive(task)) return state === 'failed' || state === 'cancelled' ? <StartAgain task={task} /> : null;
  const isPaused = state === 'paused' || state === 'pausing';
  return (
    <>
      <div className={css.row}>
        {isPaused ? (
          <Button
            icon="play"
            isBusy={resume.isPending}
            disabled={isLocked}
            onClick={() => resume.mutate({ task: task.task })}
          >
            Resume
          </Button>
        ) : (
          <Button
            icon="pause"
            isBusy={pause.isPending}
            disabled={isLocked || state === 'cancelling'}
            onClick={() => pause.mutate({ task: task.task })}
          >
            Pause
          </Button>
        )}
        <Button
          icon="ban"
          kind="danger"
          isBusy={cancel.isPending}
          disabled={isLocked || state === 'cancelling'}
          onClick={() => cancel.mutate({ task: task.task })}
        >
          Cancel
        </Button>
        <span className={css.note}>What is done stays done.</span>
      </div>
      <DeedFault error={error} />
    </>
  );
}
