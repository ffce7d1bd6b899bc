import type { RouteDocs, ValueSchema } from '@stratalog/http';
import { FILTER_AND_SORT } from './search.docs';

export const COUNT: ValueSchema = { type: 'integer', minimum: 0 };
export const ENTITY: ValueSchema = { type: 'string', description: 'Name of the entity type, in any case.' };
const INDEX_HEADERS = {
  'X-Stratalog-Position': 'The position of the index.',
  'X-Stratalog-Lag':
    'Number of changes in the store that the index does not include; 0 when it is up to date.',
};
const BEING_BUILT = { 503: 'The first index is being built. Repeat the call.' };

export const URNS: ValueSchema = {
  type: 'object',
  properties: {
    entities: { type: 'array', items: { type: 'string' }, description: 'Urns.' },
    start: { ...COUNT, description: 'The `start` of the request.' },
    count: COUNT,
    total: { ...COUNT, description: 'Exact number of all urns.' },
  },
  required: ['entities', 'start', 'count', 'total'],
};

export const LIST_ENTITIES: RouteDocs = {
  group: 'Search',
  summary: 'List the entities of one type, soft-deleted ones excluded',
  onlyReads: true,
  description: 'Queries the search index for everything, or with a filter.',
  body: {
    type: 'object',
    properties: {
      entity: ENTITY,
      start: { ...COUNT, maximum: 10_000, description: 'Number of entities to skip.' },
      count: {
        ...COUNT,
        maximum: 10_000,
        description: 'Size of the page; `start + count` is at most 10,000.',
      },
      ...FILTER_AND_SORT,
    },
    required: ['entity', 'start', 'count'],
  },
  answer: {
    description: 'A page of urns; `count` is that of the request.',
    schema: URNS,
    headers: INDEX_HEADERS,
  },
  rejections: BEING_BUILT,
  examples: [{ title: 'The first ten', body: { entity: 'dataset', start: 0, count: 10 } }],
};

export const COUNT_ENTITIES: RouteDocs = {
  group: 'Search',
  summary: 'Count the entities of one type, soft-deleted ones excluded',
  onlyReads: true,
  description: 'Queries the search index.',
  body: { type: 'object', properties: { entity: ENTITY }, required: ['entity'] },
  answer: { description: 'Number of entities.', schema: COUNT, headers: INDEX_HEADERS },
  rejections: BEING_BUILT,
  examples: [{ title: 'One type', body: { entity: 'dataset' } }],
};

export const COUNT_ENTITIES_OF_TYPES: RouteDocs = {
  group: 'Search',
  summary: 'Count the entities of several types, soft-deleted ones excluded',
  onlyReads: true,
  description: 'Queries the search index.',
  body: {
    type: 'object',
    properties: { entities: { type: 'array', items: ENTITY, description: 'Names of entity types.' } },
    required: ['entities'],
  },
  answer: {
    description: 'Number of entities, by the names in the request.',
    schema: { type: 'object', additionalProperties: COUNT },
    headers: INDEX_HEADERS,
  },
  rejections: BEING_BUILT,
  examples: [{ title: 'Two types', body: { entities: ['dataset', 'tag'] } }],
};
