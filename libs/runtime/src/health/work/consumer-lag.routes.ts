import { COUNT, INT64, defineRoute, flag } from '@stratalog/http';
import * as z from 'zod';

const GROUPS = z.record(
  z.string().describe('A stage.'),
  z.record(
    z.string().describe('Its log.'),
    z.object({
      metrics: z.object({ avgLag: COUNT, maxLag: COUNT, totalLag: COUNT }),
      partitions: z
        .record(
          z.string().describe('Number of the partition.'),
          z.object({
            offset: INT64.describe('Number of the last record that the stage has handled.'),
            lag: COUNT.describe('Records that it has not handled.'),
          }),
        )
        .nullable(),
    }),
  ),
);

const ROUTE = {
  app: 'admin',
  access: 'administrative',
  parameters: z.object({
    stream: z
      .string()
      .describe(
        '`mcp`: the log of proposals. `mcl`: the log of changes. `mcl-timeseries`: none, their changes are among the others.',
      ),
    skipCache: flag().optional().describe('Accepted without effect.'),
    detailed: flag().default(false).describe('True adds each partition.'),
  }),
} as const;

const DOCS = {
  group: 'Server',
  description:
    'What `GET /operations/health` says of lags, in the form of OpenAPI clients. Each stage is a consumer group.',
  rejections: { 404: 'There is no such stream.' },
  examples: [
    { title: 'The writer', parameters: { stream: 'mcp', detailed: 'true' } },
    { title: 'What follows the changes', parameters: { stream: 'mcl' } },
  ],
} as const;

export const READ_CONSUMER_LAG = defineRoute({
  ...ROUTE,
  path: 'openapi/operations/messaging/:stream/consumer/lag',
  docs: {
    ...DOCS,
    summary: 'Ask how far the consumers of a log are',
    answer: {
      description: 'The lag of each stage, some seconds ago.',
      schema: z.object({ transport: z.enum(['kafka', 'postgres']), consumerGroups: GROUPS }),
    },
  },
});

export const READ_CONSUMER_OFFSETS = defineRoute({
  ...ROUTE,
  path: 'openapi/operations/kafka/:stream/consumer/offsets',
  docs: {
    ...DOCS,
    summary: 'Ask how far the consumers of a log are, as older clients do',
    deprecated: '`GET /openapi/operations/messaging/<stream>/consumer/lag`',
    answer: { description: 'The lag of each stage, some seconds ago.', schema: GROUPS },
  },
});
