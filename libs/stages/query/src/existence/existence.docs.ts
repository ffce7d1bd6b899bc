import { EXAMPLE_URN, type RouteDocs, type ValueSchema } from '@stratalog/http';
import { COUNT, URNS } from '../search/listing.routes';

const ENTITY: ValueSchema = { type: 'string', description: 'Name of the entity type, in any case.' };

const URN: ValueSchema = { type: 'string', description: 'Urn of the entity.' };
export const EXISTS: RouteDocs = {
  group: 'Read',
  summary: 'Check whether an entity exists',
  onlyReads: true,
  description: 'Reads the store. An entity without a write does not exist, nor does a hard-deleted one.',
  body: {
    type: 'object',
    properties: {
      urn: URN,
      includeSoftDelete: {
        type: 'boolean',
        default: true,
        description: 'False: a soft-deleted entity (`status` with `removed`) counts as absent.',
      },
    },
    required: ['urn'],
  },
  answer: { description: 'True when the entity exists.', schema: { type: 'boolean' } },
  examples: [{ title: 'One entity', body: { urn: EXAMPLE_URN } }],
};

export const LIST_URNS: RouteDocs = {
  group: 'Read',
  summary: 'List the urns of one entity type',
  onlyReads: true,
  description: 'Reads the store, soft-deleted entities included. Orders the urns by their bytes.',
  body: {
    type: 'object',
    properties: {
      entity: ENTITY,
      start: { ...COUNT, description: 'Number of urns to skip.' },
      count: { ...COUNT, maximum: 10_000, description: 'Most urns of the page.' },
    },
    required: ['entity', 'start', 'count'],
  },
  answer: { description: 'A page of urns; `count` is the size of the page.', schema: URNS },
  examples: [{ title: 'The first ten', body: { entity: 'dataset', start: 0, count: 10 } }],
};

export const GET_BROWSE_PATHS: RouteDocs = {
  group: 'Read',
  summary: 'Read the browse paths of an entity',
  onlyReads: true,
  description: 'Reads the store. An entity that has no `browsePaths`, or does not exist, has none.',
  body: { type: 'object', properties: { urn: URN }, required: ['urn'] },
  answer: { description: 'The paths.', schema: { type: 'array', items: { type: 'string' } } },
  examples: [{ title: 'One entity', body: { urn: EXAMPLE_URN } }],
};

export const COUNT_ASPECTS: RouteDocs = {
  group: 'Read',
  summary: 'Count the entities with an aspect',
  onlyReads: true,
  description: 'Counts the latest values in the store.',
  body: {
    type: 'object',
    properties: {
      aspect: { type: 'string', description: 'Name of the aspect.' },
      urnLike: {
        type: 'string',
        description: 'Pattern for urns: `%` matches any text, `_` one character, a backslash escapes either.',
      },
    },
    required: ['aspect'],
  },
  answer: { description: 'Number of entities.', schema: COUNT },
  examples: [
    { title: 'All', body: { aspect: 'datasetProperties' } },
    {
      title: 'On one platform',
      body: { aspect: 'datasetKey', urnLike: 'urn:li:dataset:(urn:li:dataPlatform:postgres,%' },
    },
  ],
};
