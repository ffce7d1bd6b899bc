import { EXAMPLE_URN, defineRoute, integer, long, text } from '@stratalog/http';
import * as z from 'zod';
import { TASK } from '../tasks/tasks.routes';

const MAX_START = 10_000_000;
export const MAX_ROWS = 10_000_000;
export const MAX_BATCH_SIZE = 10_000;

/** The conditions of a restore, and its bounds. */
export const RESTORE_PARAMETERS = {
  urn: z.string().optional().describe('Only aspects of this entity.'),
  aspect: text(1_024).optional().describe('Only aspects of this name.'),
  urnLike: z
    .string()
    .optional()
    .describe('Only urns that match: `%` is any text, `_` one character, a backslash escapes either.'),
  start: integer({ minimum: 0, maximum: MAX_START }).default(0).describe('Number of aspects to skip.'),
  batchSize: integer({ minimum: 1, maximum: MAX_BATCH_SIZE })
    .default(10)
    .describe('Aspects per batch; without `limit` one batch is restored.'),
  limit: integer({ minimum: 0, maximum: MAX_ROWS })
    .optional()
    .describe('Aspects to restore in all, in batches; 0 for every one.'),
  gePitEpochMs: long({ minimum: 0 })
    .default(0)
    .describe('Epoch milliseconds: only aspects whose latest version is of this time or later.'),
  lePitEpochMs: long({ minimum: 0 })
    .optional()
    .describe(
      'Epoch milliseconds: only aspects whose latest version is of this time or earlier; now by default.',
    ),
};

const ROUTE = {
  action: 'restoreIndices',
  app: 'admin',
  access: 'administrative',
  isLong: true,
  parameters: z.object(RESTORE_PARAMETERS),
} as const;

const DOCS = {
  group: 'Operations',
  summary: 'Restate aspects to all indices',
  description: `Restates the latest values of aspects, ordered by urn and name: search index, relationship graph and every consumer of the change log take the
entities in again. No version changes. To build a whole index again, use \`rebuildIndex\`; it also removes entries without an entity. Timeseries values are not restated; where an index
has them, those of each entity are indexed again with its key aspect.`,
  answer: {
    description:
      'Arguments and results, as text for people: restated and ignored aspects, times, the last aspect.',
    schema: z.string(),
  },
  rejections: { 503: 'Log or writer did not answer in time. Repeat the call.' },
} as const;

export const RESTORE_INDICES = defineRoute({
  ...ROUTE,
  path: 'operations',
  docs: { ...DOCS, examples: [{ title: 'One entity', body: { urn: EXAMPLE_URN } }] },
});

export const RESTORE_INDICES_OF_ASPECTS = defineRoute({
  ...ROUTE,
  path: 'aspects',
  docs: {
    ...DOCS,
    summary: 'Restate aspects to all indices, at the other address',
    examples: [{ title: 'One aspect', body: { urn: EXAMPLE_URN, aspect: 'datasetProperties' } }],
  },
});

const { urn, aspect, urnLike, gePitEpochMs, lePitEpochMs } = RESTORE_PARAMETERS;

export const START_RESTORE = defineRoute({
  action: 'startRestore',
  path: 'operations',
  app: 'admin',
  access: 'administrative',
  parameters: z.object({ urn, aspect, urnLike, gePitEpochMs, lePitEpochMs }),
  docs: {
    group: 'Operations',
    summary: 'Restate aspects to all indices, in a task',
    description:
      'Restates what `restoreIndices` would with `limit` 0, in steps with a checkpoint, and answers the task at once: it can be paused, goes on after a crash, and its progress counts aspects.',
    answer: { description: 'The task.', schema: TASK },
    examples: [
      { title: 'One entity', body: { urn: EXAMPLE_URN } },
      { title: 'A platform', body: { urnLike: 'urn:li:dataset:(urn:li:dataPlatform:hive,%' } },
    ],
  },
});
