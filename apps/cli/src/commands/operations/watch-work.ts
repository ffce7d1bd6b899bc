import type { JsonObject } from '@stratalog/json';
import type { CatalogClient } from '../../connection/catalog-client';
import { CallFailure, orFailure } from '../../connection/call-failure';
import { CommandFailure, EXIT } from '../../exit-code';
import { ProgressLine } from '../../load/progress-line';
import { formatTaskProgress, type ListedTask } from '../../output/task-text';
import type { Terminal } from '../../terminal';

const POLL_MS = 1_000;
/** The newest tasks of the kind among which the one of the call is looked for. */
const COUNT = 20;
const ENDED: readonly ListedTask['state'][] = ['completed', 'failed', 'cancelled'];

export interface WatchedWork<T> {
  /** The words for the task in texts before its name is known, and when it is interrupted: `the rollback`. */
  readonly name: string;
  readonly kind: string;
  /** Finds the task of the call by its parameters. */
  readonly isOwn: (parameters: JsonObject) => boolean;
  /** Makes the call. */
  readonly call: () => Promise<T>;
}

/**
 * Makes a call that answers when its task has ended, and shows the progress of the task meanwhile. Without the operator's
 * token only the name is shown.
 *
 * **Errors**: those of the call; {@link CommandFailure} when it is interrupted: the task goes on.
 */
export async function watchWork<T>(
  client: CatalogClient,
  work: WatchedWork<T>,
  terminal: Terminal,
): Promise<T> {
  let task: ListedTask | undefined;
  const ended = new AbortController();
  const progress = new ProgressLine(terminal, () =>
    task === undefined ? work.name : `task ${task.task}: ${formatTaskProgress(task)}`,
  );
  const watch = async (): Promise<void> => {
    const signal = AbortSignal.any([ended.signal, terminal.interrupted]);
    const isOver = (): boolean => signal.aborted;
    while (!isOver()) {
      await terminal.pause(POLL_MS, signal);
      if (isOver()) return;
      task = findTask(await listTasks(client, work), work) ?? task;
    }
  };
  // A list that cannot be read costs the bar, and not the call.
  void watch().catch(() => undefined);
  try {
    return await Promise.race([work.call(), interruption(work, terminal)]);
  } finally {
    ended.abort();
    progress.stop();
  }
}

/** None while the catalog is busy, or restarts behind its proxy. */
async function listTasks(
  client: CatalogClient,
  { kind }: Pick<WatchedWork<unknown>, 'kind'>,
): Promise<readonly ListedTask[]> {
  const reply = await orFailure(client.call('GET /operations/tasks', { kind, count: COUNT }));
  if (!(reply instanceof CallFailure)) return reply.answer.tasks;
  if (reply.status === 503) return [];
  throw reply;
}

function findTask(
  tasks: readonly ListedTask[],
  { isOwn }: Pick<WatchedWork<unknown>, 'isOwn'>,
): ListedTask | undefined {
  return tasks.find(({ state, parameters }) => !ENDED.includes(state) && isOwn(parameters));
}

function interruption({ name }: { readonly name: string }, { interrupted }: Terminal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = (): void => {
      reject(new CommandFailure(`interrupted; ${name} goes on`, EXIT.interrupted));
    };
    if (interrupted.aborted) fail();
    else interrupted.addEventListener('abort', fail, { once: true });
  });
}
