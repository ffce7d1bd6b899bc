import {
  JSON_OBJECT,
  AUDIT_STAMP,
  EXAMPLE_URN,
  SYSTEM_METADATA,
  defineRoute,
  fail,
  integer,
  long,
  urnInPath,
  touchEntities,
} from '@stratalog/http';
import { didYouMean } from '@stratalog/domain';
import * as z from 'zod';

const VERSION_OF_RANGE = z.object({
  version: z.int(),
  kind: z.enum(['UPSERT', 'DELETE']),
  aspect: z
    .record(z.string(), JSON_OBJECT)
    .optional()
    .describe('The fields, under the full name of the record; absent for a deletion and for a purged value.'),
  isErased: z.boolean().optional().describe('True: the value is purged.'),
  created: AUDIT_STAMP.describe('Time and actor of this version.'),
  systemMetadata: SYSTEM_METADATA,
});

const ORDERS = ['DESCENDING', 'ASCENDING'] as const;

function parseOrder(sent: string | undefined, context: z.RefinementCtx): (typeof ORDERS)[number] | undefined {
  if (sent === undefined || sent === '') return undefined;
  const order = ORDERS.find((each) => each === sent.toUpperCase());
  return order ?? fail(context, { wanted: `one of ${ORDERS.join(', ')}${didYouMean(sent, ORDERS)}` });
}

export const READ_ASPECT = defineRoute({
  path: 'aspects/:urn',
  app: 'query',
  touches: (query) => touchEntities([query.urn]),
  parameters: z.object({
    urn: urnInPath,
    aspect: z.string().describe('Name of the aspect.'),
    version: long()
      .optional()
      .meta({ default: 0, description: '0 is the latest, 1 the oldest, -1 the newest by its own number.' }),
    asOf: long({ minimum: 0 })
      .optional()
      .describe(
        'Epoch milliseconds: reads the version as of the end of that millisecond, instead of `version`.',
      ),
    startVersion: long({ minimum: 1 })
      .optional()
      .meta({ default: 1, description: 'Lowest version of a range.' }),
    endVersion: long({ minimum: 0 })
      .optional()
      .meta({ default: 0, description: 'Highest version of a range; 0 is the newest.' }),
    order: z
      .string()
      .optional()
      .transform(parseOrder)
      .meta({
        enum: [...ORDERS],
        default: 'DESCENDING',
        description: 'Order of a range: newest or oldest first.',
      }),
    count: integer({ minimum: 1, maximum: 1_000 })
      .optional()
      .meta({ default: 100, description: 'Most versions of a page of a range.' }),
  }),
  docs: {
    group: 'Read',
    summary: 'Read one aspect at a version, at a time, or in a range of versions',
    description: `Reads any version until retention purges it. To test whether an entity exists, read its key
aspect.
With \`startVersion\`, \`endVersion\`, \`order\` or \`count\` the answer is a page of versions with their stamps. The page ends after \`count\` versions,
or earlier when it grows too large; \`next\` is the range of the next page.`,
    answer: {
      description: 'The requested version, or a page of versions.',
      schema: z.union([
        z.object({
          version: z.int().describe('0 for the latest version, otherwise its number.'),
          aspect: z
            .record(z.string(), JSON_OBJECT)
            .describe('The fields of the aspect, under the full name of its record.'),
        }),
        z.object({
          urn: z.string(),
          aspectName: z.string(),
          oldestVersion: z.int().describe('Lowest kept version.'),
          newestVersion: z.int(),
          truncatedUpTo: z
            .int()
            .optional()
            .describe('Retention purged the values up to this version; absent when it purged none.'),
          versions: z.array(VERSION_OF_RANGE),
          isCut: z.boolean().optional().describe('True: the range starts before the kept versions.'),
          next: z
            .object({ startVersion: z.int().optional(), endVersion: z.int().optional() })
            .optional()
            .describe('The range of the next page; absent on the last.'),
        }),
      ]),
    },
    rejections: {
      404: 'The entity, aspect or version does not exist, or retention purged it, which the message says.',
    },
    examples: [
      {
        title: 'The latest version',
        parameters: { urn: EXAMPLE_URN, aspect: 'datasetProperties', version: '0' },
      },
      {
        title: 'The first version',
        parameters: { urn: EXAMPLE_URN, aspect: 'datasetProperties', version: '1' },
      },
      {
        title: 'All versions, the oldest first',
        parameters: { urn: EXAMPLE_URN, aspect: 'datasetProperties', order: 'ASCENDING' },
      },
      {
        title: 'Some versions',
        parameters: {
          urn: EXAMPLE_URN,
          aspect: 'datasetProperties',
          startVersion: '1',
          endVersion: '9',
          count: '5',
        },
      },
      { title: 'Does it exist?', parameters: { urn: EXAMPLE_URN, aspect: 'datasetKey' } },
    ],
  },
});
