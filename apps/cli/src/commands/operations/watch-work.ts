import type { JsonObject } from '@stratalog/model';
import type { CatalogClient } from '../../connection/catalog-client';
import { objectIn } from '../../connection/answer-json';
import { CommandFailure, EXIT } from '../../exit-code';
import { ProgressLine } from '../../load/progress-line';
import { objectOf, toList, toText } from '../../output/json-parts';
import { formatTaskProgress } from '../../output/task-text';
import type { Terminal } from '../../terminal';

const POLL_MS = 1_000;
/** The newest tasks of the kind among which the one of the call is looked for. */
const COUNT = '20';
const ENDED = ['completed', 'failed', 'cancelled'];

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
  let task: JsonObject | undefined;
  const ended = new AbortController();
  const progress = new ProgressLine(terminal, () =>
    task === undefined ? work.name : `task ${toText(task.task)}: ${formatTaskProgress(task)}`,
  );
  const watch = async (): Promise<void> => {
    const signal = AbortSignal.any([ended.signal, terminal.interrupted]);
    const isOver = (): boolean => signal.aborted;
    for (let isReadable = true; isReadable && !isOver();) {
      await terminal.pause(POLL_MS, signal);
      if (isOver()) return;
      const answer = await client.tasks({ kind: work.kind, count: COUNT });
      isReadable = answer.status === 200 || answer.status === 503;
      if (answer.status === 200) task = findTask(objectIn(answer, client.address), work) ?? task;
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

function findTask(list: JsonObject, { isOwn }: Pick<WatchedWork<unknown>, 'isOwn'>): JsonObject | undefined {
  return toList(list.tasks)
    .map(objectOf)
    .find(({ state, parameters }) => !ENDED.includes(toText(state)) && isOwn(objectOf(parameters)));
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
