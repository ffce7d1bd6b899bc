import {
  INT64,
  EXAMPLE_URN,
  SYSTEM_METADATA,
  defineRoute,
  flag,
  integer,
  long,
  touchEntities,
} from '@stratalog/http';
import * as z from 'zod';
import { order } from '../filters/filter-and-sort';
import { filter } from '../filters/read-criteria';
import { MAX_TIMESERIES_VALUES } from './read-timeseries';

export const READ_TIMESERIES = defineRoute({
  path: 'aspects',
  action: 'getTimeseriesAspectValues',
  app: 'query',
  writes: false,
  touches: (query) => touchEntities([query.urn]),
  parameters: z.object({
    urn: z.string().describe('Urn of the entity.'),
    entity: z.string().describe('Entity type of the urn.'),
    aspect: z.string().describe('Name of a timeseries aspect of the type.'),
    startTimeMillis: long().optional().describe('The earliest timestamp, in epoch milliseconds.'),
    endTimeMillis: long().optional().describe('The latest timestamp, in epoch milliseconds.'),
    limit: integer({ minimum: 1, maximum: MAX_TIMESERIES_VALUES })
      .default(MAX_TIMESERIES_VALUES)
      .describe('Most values of the answer.'),
    latestValue: flag()
      .default(false)
      .meta({ deprecated: true, description: 'True: returns only the newest value. Use `limit` 1.' }),
    filter: filter.optional(),
    sort: order('DESCENDING', 'A field as in `filter`.')
      .optional()
      .describe('Orders by a field, then newest first. Values without the field come last.'),
  }),
  docs: {
    group: 'Read',
    summary: 'Read the values of a timeseries aspect',
    description: `Returns the newest values first. Without a range the call reads the whole series; a range includes both ends.
A \`filter\` compares fields of the aspect, nested fields by a dotted path, \`urn\` and \`runId\`. It inspects at most 100,000 values, so
set a range for a long series; a \`sort\` by any field but the time reads the whole range too. The page of an aspect lists its fields.`,
    answer: {
      description: 'The values, each as JSON text; an empty list for an entity without values.',
      schema: z.object({
        entityName: z.string(),
        aspectName: z.string(),
        startTimeMillis: INT64.optional().describe('The `startTimeMillis` of the request, if present.'),
        endTimeMillis: INT64.optional().describe('The `endTimeMillis` of the request, if present.'),
        limit: z.int(),
        values: z.array(
          z.object({
            aspect: z.object({
              value: z.string().describe('The value as JSON text.'),
              contentType: z.enum(['application/json']),
            }),
            systemMetadata: SYSTEM_METADATA.optional(),
          }),
        ),
      }),
    },
    rejections: {
      400: 'The aspect is versioned, or the entity type does not have it; the urn is of another type; or `filter` or `sort` names a field that is not comparable.',
    },
    examples: [
      {
        title: 'The newest profile',
        body: { urn: EXAMPLE_URN, entity: 'dataset', aspect: 'datasetProfile', limit: 1 },
      },
      {
        title: 'A day of usage',
        body: {
          urn: EXAMPLE_URN,
          entity: 'dataset',
          aspect: 'datasetUsageStatistics',
          startTimeMillis: 1_700_006_400_000,
          endTimeMillis: 1_700_092_800_000,
        },
      },
    ],
  },
});
