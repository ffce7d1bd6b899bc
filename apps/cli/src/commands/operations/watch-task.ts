import type { AnswerOf } from '@stratalog/client';
import { CommandFailure, EXIT } from '../../exit-code';
import { PROGRAM } from '../../program';
import { ProgressLine } from '../../load/progress-line';
import { prettyJson } from '../../output/pretty-json';
import { formatTaskProgress } from '../../output/task-text';
import type { Terminal } from '../../terminal';
import { jsonIn } from '../../connection/answer-json';
import { CallFailure, orFailure } from '../../connection/call-failure';
import { explainInterruption } from '../../connection/explain-interruption';
import type { CatalogClient } from '../../connection/catalog-client';

export type Task = AnswerOf<'GET /operations/tasks/:task'>;

const POLL_MS = 1_000;
const ENDED: readonly Task['state'][] = ['completed', 'failed', 'cancelled'];

/** Reads one task. **Errors**: {@link CommandFailure} for an unknown one. */
export async function readTask(client: CatalogClient, name: string): Promise<Task> {
  return (await client.call('GET /operations/tasks/:task', { task: name })).answer;
}

/** The answer of a call that starts a task. */
interface Started {
  readonly task: string;
}

/**
 * Waits until a task that was started is completed. Without `wait` it prints that the task is started, and returns `undefined`.
 *
 * **Errors**: {@link CommandFailure} when it ends otherwise, or is interrupted.
 */
export async function runTask(
  client: CatalogClient,
  started: Started,
  { wait, json }: { readonly wait: boolean; readonly json?: true },
  terminal: Terminal,
): Promise<Task | undefined> {
  const { task: name } = started;
  if (wait) return requireCompleted(await watchTask(client, name, terminal));
  terminal.stdout.write(`${json === true ? prettyJson({ ...started }) : `task ${name} is started`}\n`);
  return undefined;
}

/**
 * Waits until a task has ended, and shows its progress meanwhile. A paused task is waited for. A task that the catalog
 * does not know any more is completed: it found nothing to do, and left no record.
 *
 * **Errors**: {@link CommandFailure} when it is interrupted; the task goes on.
 */
export function watchTask(client: CatalogClient, name: string, terminal: Terminal): Promise<Task> {
  return explainInterruption(
    followTask(client, name, terminal),
    `the task ${name} goes on, and "${PROGRAM} tasks cancel ${name}" ends it`,
  );
}

async function followTask(client: CatalogClient, name: string, terminal: Terminal): Promise<Task> {
  let task = await readTask(client, name);
  const progress = new ProgressLine(terminal, () => `task ${name}: ${formatTaskProgress(task)}`);
  try {
    while (!ENDED.includes(task.state)) {
      await terminal.pause(POLL_MS, terminal.interrupted);
      task = await readAgain(client, name, task);
    }
  } finally {
    progress.stop();
  }
  return task;
}

async function readAgain(client: CatalogClient, name: string, task: Task): Promise<Task> {
  const read = await orFailure(readTask(client, name));
  if (!(read instanceof CallFailure)) return read;
  if (isGone(read)) return { ...task, state: 'completed' };
  // The catalog is busy, or restarts behind its proxy.
  if (read.status === 503) return task;
  throw read;
}

/** True for the catalog's own 404, and not for that of a proxy before it. */
function isGone({ status, rejection }: CallFailure): boolean {
  return status === 404 && jsonIn(rejection)?.status === 404;
}

/** Returns a task that is completed. **Errors**: {@link CommandFailure} with the reason for any other end. */
export function requireCompleted(task: Task): Task {
  const { state, reason = '' } = task;
  if (state === 'completed') return task;
  const ended = state === 'cancelled' ? 'is cancelled' : state;
  throw new CommandFailure(`the task ${ended}${reason === '' ? '' : `: ${reason}`}`, EXIT.rejected);
}
