import { Readable } from 'node:stream';
import { TASK_STATES, ThrottledError, isEnded, type Task } from '@stratalog/domain';
import { stringifyJson } from '@stratalog/json';
import { pause } from '@stratalog/concurrency';
import { formatTask, formatTasks, requireTask, type TaskDeps } from './describe-task';

/** Streams that one process serves at the same time. */
const MAX_STREAMS = 64;
const POLL_MS = 500;
/** Proxies close a connection that is silent for longer. */
const COMMENT_EVERY_MS = 15_000;
/** Most tasks that one stream follows. */
const MAX_FOLLOWED = 1_000;
const UNFINISHED = TASK_STATES.filter((state) => !isEnded(state));

interface TaskEvent {
  readonly name: 'progress' | 'end';
  readonly data: string;
}

/** Streams the progress of tasks as server-sent events, as long as clients listen. */
export class TaskEvents {
  private readonly closing = new AbortController();
  private open = 0;

  constructor(private readonly deps: TaskDeps) {}

  /**
   * Opens the stream of one task: an event `progress` for each change, and one `end` with its last state. A task whose
   * record is gone found nothing to do, and is reported as completed.
   *
   * **Errors**: those of `requireTask`; `ThrottledError` when too many streams are open.
   */
  async follow(name: string): Promise<Readable> {
    const task = await requireTask(this.deps, name);
    return this.stream((signal) => this.eventsOf(task, signal));
  }

  /**
   * Opens the stream of all tasks, which ends with the process: first an event `progress` for each unfinished one, then the events that the stream
   * of each task has, without logs.
   *
   * **Errors**: `ThrottledError` when too many streams are open.
   */
  followAll(): Readable {
    return this.stream((signal) => this.eventsOfAll(signal));
  }

  /** Ends all streams; Nest calls it when the process stops. */
  beforeApplicationShutdown(): void {
    this.closing.abort();
  }

  private stream(rounds: (signal: AbortSignal) => AsyncGenerator<readonly TaskEvent[]>): Readable {
    if (this.open >= MAX_STREAMS) {
      throw new ThrottledError(`${String(MAX_STREAMS)} clients follow tasks already; ask again later`);
    }
    this.open += 1;
    const leaving = new AbortController();
    const signal = AbortSignal.any([leaving.signal, this.closing.signal]);
    const stream = Readable.from(toText(rounds(signal)));
    stream.once('close', () => {
      this.open -= 1;
      leaving.abort();
    });
    return stream;
  }

  private async *eventsOf(first: Task, signal: AbortSignal): AsyncGenerator<readonly TaskEvent[]> {
    const sent = new Map<number, string>();
    let task = first;
    while (!signal.aborted) {
      yield news(sent, task, stringifyJson(await formatTask(this.deps, task)));
      if (isEnded(task.state)) return;
      await pause(POLL_MS, signal);
      task = (await this.deps.tasks.read(first.id)) ?? { ...task, state: 'completed' };
    }
  }

  private async *eventsOfAll(signal: AbortSignal): AsyncGenerator<readonly TaskEvent[]> {
    const { tasks } = this.deps;
    const sent = new Map<number, string>();
    let followed = new Map<number, Task>();
    let newest = (await tasks.list({ limit: 1 }))[0]?.id ?? 0;
    while (!signal.aborted) {
      const unfinished = await tasks.list({ states: UNFINISHED, limit: MAX_FOLLOWED });
      const added = (await tasks.list({ limit: MAX_FOLLOWED })).filter(({ id }) => id > newest);
      const current = new Map([...added, ...unfinished].map((task) => [task.id, task]));
      for (const task of followed.values()) {
        if (!current.has(task.id))
          current.set(task.id, (await tasks.read(task.id)) ?? { ...task, state: 'completed' });
      }
      const listed = [...current.values()].sort((a, b) => a.id - b.id);
      const formatted = await formatTasks(this.deps, listed);
      yield listed.flatMap((task, at) => news(sent, task, stringifyJson(formatted[at] ?? {})));
      newest = Math.max(newest, ...current.keys());
      followed = new Map([...current].filter(([, { state }]) => !isEnded(state)));
      await pause(POLL_MS, signal);
    }
  }
}

/** Returns the event that tells what is new of a task, if anything is. A task that has ended is forgotten. */
function news(sent: Map<number, string>, { id, state }: Task, data: string): readonly TaskEvent[] {
  if (isEnded(state)) {
    sent.delete(id);
    return [{ name: 'end', data }];
  }
  if (sent.get(id) === data) return [];
  sent.set(id, data);
  return [{ name: 'progress', data }];
}

/** Writes events as they come, and a comment at the start and where none came for long. */
async function* toText(rounds: AsyncIterable<readonly TaskEvent[]>): AsyncGenerator<string> {
  let sentAt = Number.NEGATIVE_INFINITY;
  for await (const events of rounds) {
    if (events.length === 0 && performance.now() < sentAt + COMMENT_EVERY_MS) continue;
    sentAt = performance.now();
    if (events.length === 0) yield ': no change\n\n';
    for (const { name, data } of events) yield `event: ${name}\ndata: ${data}\n\n`;
  }
}
