import { EXAMPLE_URN, SYSTEM_METADATA, type RouteDocs } from '@stratalog/http';
import { MAX_TIMESERIES_VALUES } from './read-timeseries';

const TIME = { type: 'integer', format: 'int64' } as const;

export const READ_TIMESERIES: RouteDocs = {
  group: 'Read',
  summary: 'Read the values of a timeseries aspect',
  onlyReads: true,
  description: `The newest come first. Without a range the whole series is asked for; both ends of a range are included.

A \`filter\` compares fields of the aspect, those within records by a path with dots, \`urn\` and \`runId\`. It looks at 100,000 values at most, so
give it a range where a series is long. Which fields an aspect has stands on its page.`,
  body: {
    type: 'object',
    properties: {
      urn: { type: 'string', description: 'Urn of the entity.' },
      entity: { type: 'string', description: 'Its entity type.' },
      aspect: { type: 'string', description: 'Name of a timeseries aspect of the type.' },
      startTimeMillis: { ...TIME, description: 'The earliest moment, in epoch milliseconds.' },
      endTimeMillis: { ...TIME, description: 'The latest moment, in epoch milliseconds.' },
      limit: {
        type: 'integer',
        minimum: 1,
        maximum: MAX_TIMESERIES_VALUES,
        default: MAX_TIMESERIES_VALUES,
        description: 'How many values at most.',
      },
      latestValue: {
        type: 'boolean',
        default: false,
        deprecated: true,
        description: 'True: only the newest. Use `limit` 1.',
      },
      filter: {
        type: 'object',
        description:
          '`{or: [{and: [{field, condition, values, negated}]}]}`; conditions EQUAL, IEQUAL, IN, CONTAIN, START_WITH, END_WITH, GREATER_THAN, GREATER_THAN_OR_EQUAL_TO, LESS_THAN, LESS_THAN_OR_EQUAL_TO, BETWEEN, EXISTS and IS_NULL.',
      },
      sort: {
        type: 'object',
        properties: {
          field: { type: 'string', enum: ['timestampMillis', '@timestamp'] },
          order: { type: 'string', enum: ['ASCENDING', 'DESCENDING'], default: 'DESCENDING' },
        },
        required: ['field'],
      },
    },
    required: ['urn', 'entity', 'aspect'],
  },
  answer: {
    description: 'The values, each as JSON text; none for an entity that has none.',
    schema: {
      type: 'object',
      properties: {
        entityName: { type: 'string' },
        aspectName: { type: 'string' },
        startTimeMillis: { ...TIME, description: 'As it was asked for, if it was.' },
        endTimeMillis: { ...TIME, description: 'As it was asked for, if it was.' },
        limit: { type: 'integer' },
        values: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              aspect: {
                type: 'object',
                properties: {
                  value: { type: 'string', description: 'JSON of the aspect.' },
                  contentType: { type: 'string', enum: ['application/json'] },
                },
                required: ['value', 'contentType'],
              },
              systemMetadata: SYSTEM_METADATA,
            },
            required: ['aspect'],
          },
        },
      },
      required: ['entityName', 'aspectName', 'limit', 'values'],
    },
  },
  rejections: {
    400: 'The aspect has versions, or the entity type does not have it; the urn is of another type; the filter names what cannot be compared.',
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
};
