import type { WireReply } from '../request/wire';

/** On the answer of long work: the name of the task that did it. */
const TASK_HEADER = 'x-stratalog-task';

export function setTask(reply: WireReply, name: string): void {
  void reply.header(TASK_HEADER, name);
}

/** Documents the header in the answer of a route. */
export const TASK_HEADER_DOCS = { 'X-Stratalog-Task': 'Name of the task that did the work.' } as const;
