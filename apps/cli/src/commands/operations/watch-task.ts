import type { JsonObject } from '@stratalog/model';
import { CommandFailure, EXIT } from '../../exit-code';
import { PROGRAM } from '../../program';
import { ProgressLine } from '../../load/progress-line';
import { objectOf, toText } from '../../output/json-parts';
import { prettyJson } from '../../output/pretty-json';
import { formatTaskProgress } from '../../output/task-text';
import type { Terminal } from '../../terminal';
import { accepted } from '../../connection/accepted';
import { jsonIn, objectIn } from '../../connection/answer-json';
import { explainInterruption } from '../../connection/explain-interruption';
import type { Answer, CatalogClient } from '../../connection/catalog-client';

const POLL_MS = 1_000;
const ENDED = ['completed', 'failed', 'cancelled'];

/** Reads one task. **Errors**: {@link CommandFailure} for an unknown one. */
export async function readTask(client: CatalogClient, name: string): Promise<JsonObject> {
  return objectIn(accepted(await client.task(name), client.address), client.address);
}

/** A call that starts a task. */
interface TaskCall {
  readonly resource: string;
  readonly action: string;
  readonly parameters: JsonObject;
}

/**
 * Starts a task, and waits until it is completed. Without `wait` it prints that the task is started, and returns `undefined`.
 *
 * **Errors**: {@link CommandFailure} when it ends otherwise, or is interrupted.
 */
export async function runTask(
  client: CatalogClient,
  { resource, action, parameters }: TaskCall,
  { wait, json }: { readonly wait: boolean; readonly json?: true },
  terminal: Terminal,
): Promise<JsonObject | undefined> {
  const answer = accepted(await client.action(resource, action, parameters), client.address);
  const started = objectOf(objectIn(answer, client.address).value);
  const name = toText(started.task);
  if (wait) return requireCompleted(await watchTask(client, name, terminal));
  terminal.stdout.write(`${json === true ? prettyJson(started) : `task ${name} is started`}\n`);
  return undefined;
}

/**
 * Waits until a task has ended, and shows its progress meanwhile. A paused task is waited for. A task that the catalog
 * does not know any more is completed: it found nothing to do, and left no record.
 *
 * **Errors**: {@link CommandFailure} when it is interrupted; the task goes on.
 */
export function watchTask(client: CatalogClient, name: string, terminal: Terminal): Promise<JsonObject> {
  return explainInterruption(
    followTask(client, name, terminal),
    `the task ${name} goes on, and "${PROGRAM} tasks cancel ${name}" ends it`,
  );
}

async function followTask(client: CatalogClient, name: string, terminal: Terminal): Promise<JsonObject> {
  let task = await readTask(client, name);
  const progress = new ProgressLine(terminal, () => `task ${name}: ${formatTaskProgress(task)}`);
  try {
    while (!ENDED.includes(toText(task.state))) {
      await terminal.pause(POLL_MS, terminal.interrupted);
      const answer = await client.task(name);
      if (isGone(answer)) task = { ...task, state: 'completed' };
      // Retries a catalog that is busy, or restarts behind its proxy.
      else if (answer.status !== 503) task = objectIn(accepted(answer, client.address), client.address);
    }
  } finally {
    progress.stop();
  }
  return task;
}

/** True for the catalog's own 404, and not for that of a proxy before it. */
function isGone(answer: Answer): boolean {
  return answer.status === 404 && jsonIn(answer)?.status === 404;
}

/** Returns a task that is completed. **Errors**: {@link CommandFailure} with the reason for any other end. */
export function requireCompleted(task: JsonObject): JsonObject {
  const state = toText(task.state);
  if (state === 'completed') return task;
  const reason = toText(task.reason);
  const ended = state === 'cancelled' ? 'is cancelled' : state;
  throw new CommandFailure(`the task ${ended}${reason === '' ? '' : `: ${reason}`}`, EXIT.rejected);
}
