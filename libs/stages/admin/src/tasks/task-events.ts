import { Readable } from 'node:stream';
import { ThrottledError, isEnded, stringifyJson, type Task } from '@stratalog/model';
import { pause } from '@stratalog/ports';
import { formatTask, requireTask, type TaskDeps } from './describe-task';

/** Streams that one process serves at the same time. */
const MAX_STREAMS = 64;
const POLL_MS = 500;
/** Proxies close a connection that is silent for longer. */
const COMMENT_EVERY_MS = 15_000;

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
    if (this.open >= MAX_STREAMS) {
      throw new ThrottledError(`${String(MAX_STREAMS)} clients follow tasks already; ask again later`);
    }
    this.open += 1;
    const leaving = new AbortController();
    const signal = AbortSignal.any([leaving.signal, this.closing.signal]);
    const stream = Readable.from(this.events(task, signal));
    stream.once('close', () => {
      this.open -= 1;
      leaving.abort();
    });
    return stream;
  }

  /** Ends all streams; Nest calls it when the process stops. */
  beforeApplicationShutdown(): void {
    this.closing.abort();
  }

  private async *events(first: Task, signal: AbortSignal): AsyncGenerator<string> {
    let sent = '';
    let sentAt = 0;
    let task = first;
    while (!signal.aborted) {
      const data = stringifyJson(await formatTask(this.deps, task));
      if (isEnded(task.state)) {
        yield toEvent('end', data);
        return;
      }
      if (data !== sent) yield toEvent('progress', data);
      else if (performance.now() >= sentAt + COMMENT_EVERY_MS) yield ': no change\n\n';
      if (data !== sent || performance.now() >= sentAt + COMMENT_EVERY_MS) sentAt = performance.now();
      sent = data;
      await pause(POLL_MS, signal);
      task = (await this.deps.tasks.read(first.id)) ?? { ...task, state: 'completed' };
    }
  }
}

function toEvent(name: string, data: string): string {
  return `event: ${name}\ndata: ${data}\n\n`;
}
