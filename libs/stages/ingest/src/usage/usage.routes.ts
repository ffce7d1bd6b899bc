import { EXAMPLE_URN, MAX_BATCH_ELEMENTS, defineRoute, integer, oneOf } from '@stratalog/http';
import * as z from 'zod';

const DURATIONS = ['HOUR', 'DAY', 'WEEK', 'MONTH', 'YEAR'] as const;
/** The last millisecond of the year 9999. */
const MAX_TIMESTAMP_MS = 253_402_300_799_999;
const MAX_COUNT = 2_147_483_647;

const count = integer({ minimum: 0, maximum: MAX_COUNT });
const bucket = z.object({
  bucket: integer({ minimum: 0, maximum: MAX_TIMESTAMP_MS }).describe(
    'Start of the period, in epoch milliseconds.',
  ),
  duration: oneOf(DURATIONS, () => ({ reason: `is not one of ${DURATIONS.join(', ')}` })).describe(
    'Length of the period.',
  ),
  resource: z.string().describe('Urn of the dataset.'),
  metrics: z
    .object({
      uniqueUserCount: count.nullish(),
      users: z
        .array(z.object({ user: z.string(), count, userEmail: z.string().nullish() }))
        .nullish()
        .describe('Queries of each user.'),
      totalSqlQueries: count.nullish(),
      topSqlQueries: z.array(z.string()).nullish(),
      fields: z
        .array(z.object({ fieldName: z.string(), count }))
        .nullish()
        .describe('Queries of each column.'),
    })
    .describe('The usage in the period.'),
});
export type SentUsage = z.output<typeof bucket>;

export const INGEST_USAGE = defineRoute({
  path: 'usageStats',
  action: 'batchIngest',
  app: 'ingest',
  takesLargeBody: true,
  touches: 'proposals',
  parameters: z.object({
    buckets: z
      .array(bucket)
      .refine((list) => list.length <= MAX_BATCH_ELEMENTS, {
        params: { reason: `has more than ${String(MAX_BATCH_ELEMENTS)} elements` },
      })
      .describe('Usage of datasets in periods.'),
  }),
  docs: {
    group: 'Write',
    summary: 'Write the usage of datasets',
    description:
      'Writes each bucket as a value of `datasetUsageStatistics`, all or none. A bucket replaces one of the same dataset, period and duration. New clients send proposals.',
    answer: {
      description: 'Empty.',
      headers: { 'X-Stratalog-Position': 'Position of the write.' },
    },
    rejections: {
      422: 'A bucket does not fit the model; the message begins with its index. Nothing was written.',
    },
    examples: [
      {
        title: 'Usage of one day',
        body: {
          buckets: [
            {
              bucket: 1_700_006_400_000,
              duration: 'DAY',
              resource: EXAMPLE_URN,
              metrics: {
                uniqueUserCount: 1,
                users: [{ user: 'urn:li:corpuser:docs-example', count: 3 }],
                totalSqlQueries: 3,
                topSqlQueries: ['select 1'],
              },
            },
          ],
        },
      },
    ],
  },
});
