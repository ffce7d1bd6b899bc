import { COUNT, INT64, defineRoute, flag, integer, long } from '@stratalog/http';
import * as z from 'zod';

const MAX_BATCH_SIZE = 1_000_000;
const DEFAULT_BATCH_SIZE = 10_000;
const MAX_TIMEOUT_SECONDS = 31_536_000;
const ROUTE = { path: 'operations', app: 'admin', access: 'administrative' } as const;

const SIZE_MEMBERS = {
  indexName: z.string().describe('Name of the index: `dataset_datasetprofileaspect_v1`.'),
  entityName: z.string().describe('Entity type, in lower case.'),
  aspectName: z.string().describe('Aspect, in lower case.'),
  sizeMb: z.number().min(0).describe('Size in decimal megabytes.'),
};

/** Describes the size of one timeseries aspect, in the form that all calls share. */
export const INDEX_SIZE = z.object(SIZE_MEMBERS);

export const GET_INDEX_SIZES = defineRoute({
  ...ROUTE,
  action: 'getIndexSizes',
  writes: false,
  docs: {
    group: 'Operations',
    summary: 'Report the sizes of timeseries aspects',
    description:
      'Has one entry for each timeseries aspect of each entity type. Names are in lower case; `truncateTimeseriesAspect` accepts them.',
    answer: {
      description: 'Name and size of each index.',
      schema: z.object({
        indexSizes: z.array(
          z.object({
            ...SIZE_MEMBERS,
            sizeInMb: z.number().min(0).describe('The same as `sizeMb`, for newer clients.'),
            valueCount: COUNT.describe('Number of values; in a large store an estimate from a sample.'),
            oldestMillis: INT64.optional().describe(
              'Timestamp of the oldest value, in epoch milliseconds; in a large store of the oldest one of the sample.',
            ),
            newestMillis: INT64.optional().describe('The same of the newest value.'),
          }),
        ),
      }),
    },
    examples: [{ title: 'All sizes', body: {} }],
  },
});

export const TRUNCATE_TIMESERIES = defineRoute({
  ...ROUTE,
  action: 'truncateTimeseriesAspect',
  parameters: z.object({
    entityType: z.string().describe('Entity type whose values are deleted, in any case.'),
    aspect: z.string().describe('Timeseries aspect whose values are deleted, in any case.'),
    endTimeMillis: long({ minimum: 0 }).describe('Epoch milliseconds: values up to this time are deleted.'),
    dryRun: flag().default(true).describe('True: only reports how many values a run would delete.'),
    batchSize: integer({ minimum: 0, maximum: MAX_BATCH_SIZE })
      .default(DEFAULT_BATCH_SIZE)
      .describe(
        'Values per batch, 0 for the default; at most 500 are deleted at once, so that writers do not wait.',
      ),
    timeoutSeconds: integer({ minimum: 0, maximum: MAX_TIMEOUT_SECONDS })
      .default(0)
      .describe(
        'The task fails when it has worked for longer, and deleted values stay deleted; 0 for no limit.',
      ),
    forceDeleteByQuery: flag().optional().describe('True: announces a delete by query.'),
    forceReindex: flag()
      .optional()
      .describe('True: announces a reindex. Not together with `forceDeleteByQuery`.'),
  }),
  docs: {
    group: 'Operations',
    summary: 'Delete the old values of a timeseries aspect',
    description: `A dry run answers how many values would be deleted; its header \`X-Stratalog-Position\` is the instant that it speaks of. A real run
starts a task and answers its name, for \`getEsTaskStatus\` and \`GET /operations/tasks\`. The task deletes the values that are stored when it starts; values that
are written later stay, whatever their time. A repeated call while the task runs answers the same task.`,
    answer: {
      description: 'The sentence of a dry run, or the name of the task.',
      schema: z.string(),
      headers: { 'X-Stratalog-Position': 'On a dry run: the instant that it speaks of.' },
    },
    examples: [
      {
        title: 'Report what would go',
        body: { entityType: 'dataset', aspect: 'datasetProfile', endTimeMillis: 1_600_000_000_000 },
      },
      {
        title: 'Delete it',
        body: {
          entityType: 'dataset',
          aspect: 'datasetProfile',
          endTimeMillis: 1_600_000_000_000,
          dryRun: false,
        },
      },
    ],
  },
});
