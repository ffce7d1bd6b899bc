import { COUNT, EXAMPLE_URN, defineRoute, integer, text } from '@stratalog/http';
import * as z from 'zod';
import { MAX_BATCH_SIZE, MAX_ROWS, RESTORE_PARAMETERS } from '../restore/restore.routes';
import { INDEX_SIZE } from '../timeseries/timeseries.routes';

/** Current servers of the original have the first address, older ones the second. */
const at = (name: string) =>
  [`openapi/operations/elasticSearch/${name}`, `operations/elasticSearch/${name}`] as const;
const ROUTE = { app: 'admin', access: 'administrative' } as const;

export const OPENAPI_TASK_STATUS = defineRoute({
  ...ROUTE,
  path: at('getTaskStatus'),
  parameters: z.object({ task: z.string().describe('Name of the task, `<node>:<number>`, or its number.') }),
  docs: {
    group: 'Operations',
    summary: 'Report a task, as JSON',
    description: 'Answers the same as `getEsTaskStatus`, without `value`.',
    answer: {
      description: 'The status of the task.',
      schema: z.object({
        completed: z.boolean(),
        taskId: z.string().describe('Name of the task.'),
        runTimeNanos: COUNT.describe('Nanoseconds of work.'),
        status: z.string().describe('The counts of the task, as JSON in a text.'),
      }),
    },
    rejections: { 404: 'There is no such task, or it was deleted after its time.' },
    examples: [{ title: 'The first task', parameters: { task: '1' } }],
  },
});

export const OPENAPI_INDEX_SIZES = defineRoute({
  ...ROUTE,
  path: at('getIndexSizes'),
  docs: {
    group: 'Operations',
    summary: 'Report the sizes of timeseries aspects, as JSON',
    answer: {
      description: 'Name and size of each index.',
      schema: z.object({ sizes: z.array(INDEX_SIZE) }),
    },
    examples: [{ title: 'All sizes', parameters: {} }],
  },
});

const RESULTS = {
  description: 'The result of each batch.',
  schema: z.array(
    z.object({
      ignored: COUNT.describe('Aspects that the model does not know, or that were deleted meanwhile.'),
      rowsMigrated: COUNT.describe('Restated aspects.'),
      timeSqlQueryMs: COUNT.optional().describe('Milliseconds for reading the names of the aspects.'),
      sendMessageMs: COUNT.optional().describe('Milliseconds for restating them.'),
      lastUrn: z.string().describe('Entity of the last aspect; empty without any.'),
      lastAspect: z.string().describe('Name of the last aspect; empty without any.'),
    }),
  ),
} as const;
export const OPENAPI_RESTORE_ENTITIES = defineRoute({
  ...ROUTE,
  path: at('restoreIndices'),
  method: 'POST',
  isLong: true,
  listBody: 'urns',
  parameters: z.object({
    urns: z.array(z.string()).describe('Urns of entities.'),
    aspectNames: z.array(text(1_024)).optional().describe('Only aspects of these names.'),
    batchSize: integer({ minimum: 1, maximum: MAX_BATCH_SIZE }).default(100).describe('Aspects per batch.'),
  }),
  docs: {
    group: 'Operations',
    summary: 'Restate the aspects of some entities to all indices',
    description: 'Does the same as `restoreIndices`, for the entities of the list in the body.',
    answer: RESULTS,
    rejections: { 503: 'Log or writer did not answer in time. Repeat the call.' },
    examples: [
      { title: 'One entity', parameters: { aspectNames: 'datasetProperties' }, body: [EXAMPLE_URN] },
    ],
  },
});

export const OPENAPI_RESTORE_INDICES = defineRoute({
  ...ROUTE,
  path: at('restoreIndices'),
  writes: true,
  isLong: true,
  parameters: z.object({
    aspectName: text(1_024).optional().describe('Only aspects of this name.'),
    urn: RESTORE_PARAMETERS.urn,
    urnLike: text(1_024).optional().describe('Only urns that match: `%` is any text, `_` one character.'),
    batchSize: integer({ minimum: 1, maximum: MAX_BATCH_SIZE }).default(500).describe('Aspects per batch.'),
    start: RESTORE_PARAMETERS.start,
    limit: integer({ minimum: 0, maximum: MAX_ROWS })
      .default(0)
      .describe('Aspects to restore in all; 0 for every one.'),
    gePitEpochMs: RESTORE_PARAMETERS.gePitEpochMs,
    lePitEpochMs: RESTORE_PARAMETERS.lePitEpochMs,
  }),
  docs: {
    group: 'Operations',
    summary: 'Restate aspects to all indices, and answer JSON',
    description:
      'Does the same as `restoreIndices`. Without a condition it restates every aspect of the catalog.',
    answer: RESULTS,
    rejections: { 503: 'Log or writer did not answer in time. Repeat the call.' },
    examples: [{ title: 'One entity', parameters: { urn: EXAMPLE_URN } }],
  },
});
