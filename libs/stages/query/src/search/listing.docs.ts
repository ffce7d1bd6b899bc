import type { RouteDocs, ValueSchema } from '@stratalog/http';
import { FILTER_AND_SORT } from './search.docs';

export const COUNT: ValueSchema = { type: 'integer', minimum: 0 };
export const ENTITY: ValueSchema = { type: 'string', description: 'Name of the entity type, in any case.' };
const INDEX_HEADERS = {
  'X-Stratalog-Position': 'How far the index was.',
  'X-Stratalog-Lag': 'How many changes of the store the index had not; 0 means that nothing is missing.',
};
const BEING_BUILT = { 503: 'The first index is being built. Repeat the call.' };

export const URNS: ValueSchema = {
  type: 'object',
  properties: {
    entities: { type: 'array', items: { type: 'string' }, description: 'Urns.' },
    start: { ...COUNT, description: 'The `start` that was asked for.' },
    count: COUNT,
    total: { ...COUNT, description: 'Exact number of all.' },
  },
  required: ['entities', 'start', 'count', 'total'],
};

export const LIST_ENTITIES: RouteDocs = {
  group: 'Search',
  summary: 'List the entities of one type that are not hidden',
  onlyReads: true,
  description: 'Asks the search index for everything, or for what passes a filter.',
  body: {
    type: 'object',
    properties: {
      entity: ENTITY,
      start: { ...COUNT, maximum: 10_000, description: 'How many entities are skipped.' },
      count: { ...COUNT, maximum: 10_000, description: 'How many come; `start + count` is at most 10,000.' },
      ...FILTER_AND_SORT,
    },
    required: ['entity', 'start', 'count'],
  },
  answer: {
    description: 'A page of urns; `count` is the one that was asked for.',
    schema: URNS,
    headers: INDEX_HEADERS,
  },
  rejections: BEING_BUILT,
  examples: [{ title: 'The first ten', body: { entity: 'dataset', start: 0, count: 10 } }],
};

export const COUNT_ENTITIES: RouteDocs = {
  group: 'Search',
  summary: 'Count the entities of one type that are not hidden',
  onlyReads: true,
  description: 'Asks the search index.',
  body: { type: 'object', properties: { entity: ENTITY }, required: ['entity'] },
  answer: { description: 'How many there are.', schema: COUNT, headers: INDEX_HEADERS },
  rejections: BEING_BUILT,
  examples: [{ title: 'One type', body: { entity: 'dataset' } }],
};

export const COUNT_ENTITIES_OF_TYPES: RouteDocs = {
  group: 'Search',
  summary: 'Count the entities of several types that are not hidden',
  onlyReads: true,
  description: 'Asks the search index.',
  body: {
    type: 'object',
    properties: { entities: { type: 'array', items: ENTITY, description: 'Names of entity types.' } },
    required: ['entities'],
  },
  answer: {
    description: 'How many there are, by the names that were asked for.',
    schema: { type: 'object', additionalProperties: COUNT },
    headers: INDEX_HEADERS,
  },
  rejections: BEING_BUILT,
  examples: [{ title: 'Two types', body: { entities: ['dataset', 'tag'] } }],
};
