import { INT64, COUNT, EXAMPLE_URN, defineRoute, integer, long, touchEntities } from '@stratalog/http';
import * as z from 'zod';
import { oneOfWords } from '../statistics/one-of-words';
import { DURATIONS } from './query-series';
import { TIME_RANGES } from './time-ranges';

const ROUTE = { path: 'usageStats', app: 'query', writes: false } as const;

const common = {
  resource: z.string().describe('Urn of the dataset.'),
  duration: oneOfWords(DURATIONS).describe('Length of the periods.'),
};
const timeZone = z
  .string()
  .optional()
  .describe('Name of the time zone in which periods begin; UTC by default.');
const range = {
  startTime: long().optional().describe('The earliest timestamp, in epoch milliseconds.'),
  endTime: long().optional().describe('The latest timestamp, in epoch milliseconds.'),
};
const rangeFromEnd = oneOfWords(TIME_RANGES).describe('Length of the range up to now.');

const toAnswer = <Bucket extends z.ZodRawShape, Together extends z.ZodType>(
  bucket: Bucket,
  together: Together,
) =>
  z.object({
    buckets: z.array(
      z.object({
        bucket: INT64.describe('Start of the period, in epoch milliseconds.'),
        duration: z.enum(DURATIONS),
        resource: z.string(),
        ...bucket,
      }),
    ),
    aggregations: together,
  });

const USAGE = toAnswer(
  {
    metrics: z
      .object({
        uniqueUserCount: COUNT.optional(),
        totalSqlQueries: COUNT.optional(),
        topSqlQueries: z.array(z.string()).optional(),
      })
      .describe('The newest numbers of the period.'),
  },
  z.object({
    uniqueUserCount: COUNT.describe('Number of `users`.'),
    totalSqlQueries: COUNT.optional().describe('Sum over the periods; absent when none has the number.'),
    users: z
      .array(z.object({ user: z.string(), count: COUNT, userEmail: z.string().optional() }))
      .describe('Queries of each user, the most active first.'),
    fields: z
      .array(z.object({ fieldName: z.string(), count: COUNT }))
      .describe('Queries of each column, the most used first.'),
  }),
);
const OPERATION_COUNTS = z
  .object({
    totalOperations: COUNT,
    totalInserts: COUNT.optional(),
    totalUpdates: COUNT.optional(),
    totalDeletes: COUNT.optional(),
    totalCreates: COUNT.optional(),
    totalAlters: COUNT.optional(),
    totalDrops: COUNT.optional(),
    totalCustoms: COUNT.optional(),
    customOperationsMap: z.record(z.string(), COUNT).optional(),
  })
  .describe('Numbers of operations; a type without operations has no member.');
const REJECTIONS = {
  400: 'The urn, the duration, the range or the time zone is unknown, or the type of the urn has no such aspect.',
} as const;

export const QUERY_USAGE = defineRoute({
  ...ROUTE,
  action: 'query',
  touches: ({ resource }) => touchEntities([resource]),
  parameters: z.object({
    ...common,
    ...range,
    maxBuckets: integer({ minimum: 0 }).optional().meta({ deprecated: true, description: 'Has no effect.' }),
    timeZone,
  }),
  docs: {
    group: 'Read',
    summary: 'Read the usage of a dataset',
    description:
      'Divides the values of `datasetUsageStatistics` into periods. Users and columns are added up over the whole range, which includes both ends.',
    answer: { description: 'Periods with usage, and all of them together.', schema: USAGE },
    rejections: REJECTIONS,
    examples: [
      {
        title: 'Usage by day',
        body: {
          resource: EXAMPLE_URN,
          duration: 'DAY',
          startTime: 1_700_006_400_000,
          endTime: 1_702_598_400_000,
        },
      },
    ],
  },
});

export const QUERY_USAGE_RANGE = defineRoute({
  ...ROUTE,
  action: 'queryRange',
  touches: ({ resource }) => touchEntities([resource]),
  parameters: z.object({ ...common, rangeFromEnd, timeZone }),
  docs: {
    group: 'Read',
    summary: 'Read the recent usage of a dataset',
    description:
      'As `query`, from some time ago to now. The range has a unit more than its name says: `DAY` begins two days ago, `WEEK` eight.',
    answer: {
      description: 'Periods from the first with usage to the last, and all of them together.',
      schema: USAGE,
    },
    rejections: REJECTIONS,
    examples: [
      { title: 'The last month', body: { resource: EXAMPLE_URN, duration: 'DAY', rangeFromEnd: 'MONTH' } },
    ],
  },
});

export const QUERY_OPERATIONS = defineRoute({
  ...ROUTE,
  action: 'queryOperations',
  touches: ({ resource }) => touchEntities([resource]),
  parameters: z.object({ ...common, ...range, rangeFromEnd: rangeFromEnd.optional(), timeZone }),
  docs: {
    group: 'Read',
    summary: 'Count the operations on a dataset',
    description:
      'Counts the values of `operation` by type, in periods and together. `rangeFromEnd` stands in place of `startTime` and `endTime`. A call of ours.',
    answer: {
      description: 'Periods with operations, and all of them together.',
      schema: toAnswer({ aggregations: OPERATION_COUNTS }, OPERATION_COUNTS),
    },
    rejections: REJECTIONS,
    examples: [
      {
        title: 'Operations of the last week',
        body: { resource: EXAMPLE_URN, duration: 'DAY', rangeFromEnd: 'WEEK' },
      },
    ],
  },
});
