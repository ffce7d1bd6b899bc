import { Link } from '@tanstack/react-router';
import { Progress } from '../../../components/progress/progress';
import { Card } from '../operate-parts';
import css from '../operate.module.css';
import { StartAgain } from '../tasks/start-again';
import { TaskState } from '../tasks/task-state';
import { isActive, kindInWords, progressText, secondsInWords, type ListedTask } from '../tasks/tasks';

const SHOWN = 5;

/** The tasks at work; a kind whose last one failed can be started again. */
export function RunningTasks({ tasks }: { readonly tasks: readonly ListedTask[] }) {
  const active = tasks.filter(isActive).slice(0, SHOWN);
  const newest = tasks.filter(({ kind }, at) => tasks.findIndex((each) => each.kind === kind) === at);
  const failed = newest.filter(({ state }) => state === 'failed');
  return (
    <Card title="Running" link={<Link to="/operate/tasks">All tasks</Link>}>
      {active.length === 0 && failed.length === 0 && <p className={css.note}>Nothing runs.</p>}
      {active.map((task) => (
        <div key={task.task} className={css.wide}>
          <span className={css.row}>
            <Link to="/operate/tasks/$task" params={{ task: task.task }}>
              {kindInWords(task.kind)}
            </Link>
            <TaskState state={task.state} />
          </span>
          <Progress
            label={`Progress of ${kindInWords(task.kind)}`}
            done={task.progress.done}
            total={task.progress.total}
            look={task.state === 'paused' ? 'paused' : 'active'}
          />
          <span>
            {progressText(task)}
            {task.progress.secondsLeft !== undefined && `, ${secondsInWords(task.progress.secondsLeft)} left`}
          </span>
        </div>
      ))}
      {failed.map((task) => (
        <div key={task.task} className={css.wide}>
          <Link to="/operate/tasks/$task" params={{ task: task.task }}>
            {kindInWords(task.kind)}
          </Link>
          <span className={css.bad}>Failed: {task.reason ?? 'no reason is given'}</span>
          <span>
            <StartAgain task={task} />
          </span>
        </div>
      ))}
    </Card>
  );
}
