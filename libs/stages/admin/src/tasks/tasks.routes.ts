import { COUNT, JSON_OBJECT, defineRoute, integer, long, oneOf, text } from '@stratalog/http';
import { TASK_STATES } from '@stratalog/domain';
import * as z from 'zod';

const ROUTE = { app: 'admin', access: 'administrative' } as const;
const MILLIS = z.int().min(0).describe('Epoch milliseconds.');

const LISTED = {
  task: z.string().describe('Name of the task: `<node>:<number>`.'),
  id: z.int().min(1).describe('Number of the task in its store.'),
  kind: z.string().describe('Kind of work: `rebuild-indices`, `truncate-timeseries`.'),
  state: z.enum(TASK_STATES),
  requestedBy: z.string().describe('Urn of the user who requested the task.'),
  parameters: JSON_OBJECT.describe('Parameters of the work.'),
  progress: z.object({
    done: COUNT.describe('Units of work that are done.'),
    total: COUNT.optional().describe('All units of work; absent while unknown.'),
    perSecond: z.number().optional().describe('Units per second of work.'),
    secondsLeft: COUNT.optional().describe('Time that the rest takes at this rate.'),
  }),
  createdMillis: MILLIS,
  startedMillis: MILLIS.optional(),
  endedMillis: MILLIS.optional(),
  workedMillis: COUNT.describe('Milliseconds of work, without waits and pauses.'),
  owner: z.string().optional().describe('Process that runs the task, or ran it last.'),
  outcome: JSON_OBJECT.optional().describe('Result of a task that has ended.'),
  reason: z.string().optional().describe('Why a task failed.'),
  waitsFor: z
    .string()
    .optional()
    .describe('Name of an earlier task on the same subject; this one begins when that has ended.'),
};
/** Describes a task in answers. */
export const TASK = z.object({
  ...LISTED,
  log: z
    .array(z.object({ time: MILLIS, text: z.string() }))
    .describe('The newest hundred entries, oldest first.'),
});
const ANSWER = { description: 'The task.', schema: TASK };
const NO_TASK = { 404: 'There is no such task, or it was deleted after its time.' };
const name = z.string().describe('Name of the task, `<node>:<number>`, or its number.');

export const LIST_TASKS = defineRoute({
  ...ROUTE,
  path: 'operations/tasks',
  parameters: z.object({
    state: oneOf(TASK_STATES, (sent) => ({
      message: `Parameter 'state' is ${JSON.stringify(sent)}, but must be one of ${TASK_STATES.join(', ')}`,
    }))
      .optional()
      .describe('Only tasks in this state.'),
    kind: text(100).optional().describe('Only tasks of this kind.'),
    before: long({ minimum: 1 }).optional().describe('Only tasks with lower numbers: the next page.'),
    count: integer({ minimum: 0, maximum: 1_000 }).default(100).describe('Number of tasks to list.'),
  }),
  docs: {
    group: 'Operations',
    summary: 'List the tasks',
    description:
      'Lists the newest task first. Ended tasks are kept for `STRATALOG_TASK_KEEP_DAYS`, the newest of each kind longer.',
    answer: {
      description: 'Tasks without their logs.',
      schema: z.object({ tasks: z.array(z.object(LISTED)) }),
    },
    examples: [{ title: 'The last tasks', parameters: { count: '10' } }],
  },
});

export const READ_TASK = defineRoute({
  ...ROUTE,
  path: 'operations/tasks/:task',
  parameters: z.object({ task: name }),
  docs: {
    group: 'Operations',
    summary: 'Read a task',
    answer: ANSWER,
    rejections: NO_TASK,
    examples: [{ title: 'The first task', parameters: { task: '1' } }],
  },
});

export const FOLLOW_TASK = defineRoute({
  ...ROUTE,
  path: 'operations/tasks/:task/events',
  isStream: true,
  parameters: z.object({ task: name }),
  docs: {
    group: 'Operations',
    summary: 'Follow a task',
    description:
      'Server-sent events: `progress` for each change of the task, and `end` with its last state, `completed` for a task that found nothing to do and left no record. The data of each is the task as JSON.',
    answer: { description: 'The events.', contentTypes: ['text/event-stream'] },
    rejections: { ...NO_TASK, 429: 'Too many clients follow tasks.' },
    examples: [{ title: 'The first task', parameters: { task: '1' } }],
  },
});

export const FOLLOW_TASKS = defineRoute({
  ...ROUTE,
  path: 'operations/tasks/events',
  isStream: true,
  docs: {
    group: 'Operations',
    summary: 'Follow all tasks',
    description:
      'Server-sent events without end: first `progress` for each task that has not ended, then `progress` for each change of a task and `end` with its last state. The data of each is the task as JSON, without its log. A stream follows the newest thousand tasks.',
    answer: { description: 'The events.', contentTypes: ['text/event-stream'] },
    rejections: { 429: 'Too many clients follow tasks.' },
    examples: [{ title: 'All tasks' }],
  },
});

const CONTROL = { ...ROUTE, path: 'operations', parameters: z.object({ task: name }) } as const;

export const PAUSE_TASK = defineRoute({
  ...CONTROL,
  action: 'pauseTask',
  docs: {
    group: 'Operations',
    summary: 'Pause a task',
    description:
      'The process that runs the task stops after its current step; until then the task is `pausing`. A task that has ended stays as it is.',
    answer: ANSWER,
    rejections: NO_TASK,
    examples: [{ title: 'The first task', body: { task: '1' } }],
  },
});

export const RESUME_TASK = defineRoute({
  ...CONTROL,
  action: 'resumeTask',
  docs: {
    group: 'Operations',
    summary: 'Resume a paused task',
    description: 'A process continues the task from its checkpoint.',
    answer: ANSWER,
    rejections: NO_TASK,
    examples: [{ title: 'The first task', body: { task: '1' } }],
  },
});

export const CANCEL_TASK = defineRoute({
  ...CONTROL,
  action: 'cancelTask',
  docs: {
    group: 'Operations',
    summary: 'Cancel a task',
    description: 'The task ends after its current step. Work that is done stays done.',
    answer: ANSWER,
    rejections: NO_TASK,
    examples: [{ title: 'The first task', body: { task: '1' } }],
  },
});

export const RESTART_TASK = defineRoute({
  ...CONTROL,
  action: 'restartTask',
  // Its work may change any entity.
  touches: () => ({ kind: 'any', changesUnnamed: true }),
  docs: {
    group: 'Operations',
    summary: 'Begin a task again',
    description:
      'Creates a task of the same kind with the same parameters as one that has ended, and answers the new one. A task that has not ended is answered as it is, and so is an unfinished task for the same work.',
    answer: ANSWER,
    rejections: NO_TASK,
    examples: [{ title: 'The first task', body: { task: '1' } }],
  },
});

export const GET_ES_TASK_STATUS = defineRoute({
  ...ROUTE,
  path: 'operations',
  action: 'getEsTaskStatus',
  writes: false,
  parameters: z.object({
    nodeId: z.string().optional().describe('Node of the task; with `taskId`.'),
    taskId: long().default(0).describe('Number of the task.'),
    task: z.string().optional().describe('Name of the task, as truncation answers it: `<node>:<number>`.'),
  }),
  docs: {
    group: 'Operations',
    summary: 'Report a task, in the form of the original',
    description: `Answers JSON as text: \`completed\`, \`taskId\`, \`runTimeNanos\` and \`status\`, which is JSON as text again; or \`error\` when the task cannot be
read. \`GET /operations/tasks/<task>\` answers the same as plain JSON, and more.`,
    answer: { description: 'JSON as text.', schema: z.string() },
    examples: [{ title: 'The first task of a node', body: { nodeId: 'aB1cdEf2GHIJKLMnoPQr3S', taskId: 1 } }],
  },
});
