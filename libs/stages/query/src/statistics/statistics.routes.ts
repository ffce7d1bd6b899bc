import { JSON_OBJECT, EXAMPLE_URN, defineRoute, flag, integer } from '@stratalog/http';
import { TIME_UNITS } from '@stratalog/ports';
import * as z from 'zod';
import { oneOfWords } from './one-of-words';
import { filter } from '../filters/read-criteria';
import { MAX_GROUPS } from './max-groups';

const MAX_METRICS = 20;
const MAX_BUCKETS = 5;
const MAX_MULTIPLE = 1_000;
const AGGREGATION_TYPES = ['LATEST', 'SUM', 'CARDINALITY'] as const;
const BUCKET_TYPES = ['DATE_GROUPING_BUCKET', 'STRING_GROUPING_BUCKET'] as const;

const atMost = (count: number) => ({
  check: (list: readonly unknown[]): boolean => list.length <= count,
  fault: { params: { reason: `has more than ${String(count)} elements` } },
});

const metric = z.object({
  fieldPath: z.string().describe('A field with `@TimeseriesField`; of a list `<list>.<field>`.'),
  aggregationType: oneOfWords(AGGREGATION_TYPES).describe(
    'The newest value, the sum, or the number of distinct values.',
  ),
});
const bucket = z.object({
  type: oneOfWords(BUCKET_TYPES).describe('Whether to group by periods or by values.'),
  key: z.string().describe('The field: `timestampMillis` for periods.'),
  timeWindowSize: z
    .object({
      unit: oneOfWords(TIME_UNITS),
      multiple: integer({ minimum: 1, maximum: MAX_MULTIPLE }).default(1),
    })
    .optional()
    .describe('Length of the periods. Weeks begin on Mondays; several units count from 1970.'),
  timeZone: z
    .string()
    .optional()
    .describe('Name of the time zone in which periods begin: `Europe/Berlin`; UTC by default.'),
  size: integer({ minimum: 1, maximum: MAX_GROUPS })
    .optional()
    .describe('Most groups by value, for the last bucket.'),
  orderByMetric: flag()
    .optional()
    .describe('True: orders the last bucket by the first metric, the greatest first.'),
  ascending: flag().optional().describe('Whether the least comes first.'),
});
export type SentMetric = z.output<typeof metric>;
export type SentBucket = z.output<typeof bucket>;

const [fewMetrics, fewBuckets] = [atMost(MAX_METRICS), atMost(MAX_BUCKETS)];
const STRINGS = z.array(z.string());

export const GET_TIMESERIES_STATS = defineRoute({
  path: 'analytics',
  action: 'getTimeseriesStats',
  app: 'query',
  writes: false,
  parameters: z.object({
    entityName: z.string().describe('Entity type.'),
    aspectName: z.string().describe('Name of a timeseries aspect of the type.'),
    metrics: z
      .array(metric)
      .refine((list) => list.length > 0, { params: { reason: 'is empty' } })
      .refine(fewMetrics.check, fewMetrics.fault),
    filter: filter.optional(),
    buckets: z.array(bucket).refine(fewBuckets.check, fewBuckets.fault).default([]),
  }),
  docs: {
    group: 'Read',
    summary: 'Compute statistics of a timeseries aspect',
    description: `Groups the values of all entities of a type and aggregates their fields. A \`filter\` selects values as in
\`getTimeseriesAspectValues\`: by \`urn\`, \`timestampMillis\` and the fields of the aspect. Fields of a list (\`@TimeseriesFieldCollection\`) count
for each element: \`userCounts.user\`, \`userCounts.count\`. The page of an aspect lists its fields. Periods and groups without values are left out.`,
    answer: {
      description: 'A table with a row for each group.',
      schema: z.object({
        entityName: z.string(),
        aspectName: z.string(),
        filter: JSON_OBJECT.optional().describe('The `filter` of the request, if present.'),
        aggregationSpecs: z.array(JSON_OBJECT).describe('The `metrics` of the request.'),
        groupingBuckets: z
          .array(JSON_OBJECT)
          .optional()
          .describe('The `buckets` of the request, if present.'),
        table: z.object({
          columnNames: STRINGS.describe('Keys of the buckets, then `latest_rowCount` and the like.'),
          columnTypes: STRINGS.describe('`long`, `string`, `double` and the like.'),
          rows: z
            .array(STRINGS)
            .describe(
              'Every value is a text; a newest value of nothing is `NULL`. A period is its start in epoch milliseconds.',
            ),
        }),
      }),
    },
    rejections: {
      400: 'The type, the aspect, a field, an aggregation or a period is unknown, or the table would have more than 10,000 rows.',
    },
    examples: [
      {
        title: 'Queries of each day',
        body: {
          entityName: 'dataset',
          aspectName: 'datasetUsageStatistics',
          metrics: [{ fieldPath: 'totalSqlQueries', aggregationType: 'SUM' }],
          filter: { or: [{ and: [{ field: 'urn', value: EXAMPLE_URN }] }] },
          buckets: [
            {
              type: 'DATE_GROUPING_BUCKET',
              key: 'timestampMillis',
              timeWindowSize: { unit: 'DAY', multiple: 1 },
            },
          ],
        },
      },
      {
        title: 'The ten busiest users',
        body: {
          entityName: 'dataset',
          aspectName: 'datasetUsageStatistics',
          metrics: [{ fieldPath: 'userCounts.count', aggregationType: 'SUM' }],
          buckets: [
            { type: 'STRING_GROUPING_BUCKET', key: 'userCounts.user', size: 10, orderByMetric: true },
          ],
        },
      },
    ],
  },
});
