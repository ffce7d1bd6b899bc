import { COUNT, WAIT, WAIT_FOR, defineRoute, touchTypes } from '@stratalog/http';
import * as z from 'zod';
import { filterAndSort } from '../filters/filter-and-sort';
import { searchFlags } from './search-flags';
import { INDEX_HEADERS } from './search-answer';
import { INDEX_ROUTE, entityTypeName, page, rejectBeyondWindow } from './search-parameters';

const BEING_BUILT = { 503: 'The first index is being built. Repeat the call.' };

export const URNS = z.object({
  entities: z.array(z.string()).describe('Urns.'),
  start: COUNT.describe('The `start` of the request.'),
  count: COUNT,
  total: COUNT.describe('Exact number of all urns.'),
});

const ROUTE = { ...INDEX_ROUTE, otherParameters: [WAIT_FOR, WAIT] };

export const LIST_ENTITIES = defineRoute({
  ...ROUTE,
  action: 'list',
  touches: ({ entity }) => touchTypes([entity]),
  parameters: z
    .object({ entity: entityTypeName, ...page, ...filterAndSort, searchFlags })
    .superRefine(rejectBeyondWindow),
  docs: {
    group: 'Search',
    summary: 'List the entities of one type, soft-deleted ones excluded',
    description: 'Queries the search index for everything, or with a filter.',
    answer: {
      description: 'A page of urns; `count` is that of the request.',
      schema: URNS,
      headers: INDEX_HEADERS,
    },
    rejections: BEING_BUILT,
    examples: [{ title: 'The first ten', body: { entity: 'dataset', start: 0, count: 10 } }],
  },
});

export const COUNT_ENTITIES = defineRoute({
  ...ROUTE,
  action: 'getTotalEntityCount',
  touches: ({ entity }) => touchTypes([entity]),
  parameters: z.object({ entity: entityTypeName }),
  docs: {
    group: 'Search',
    summary: 'Count the entities of one type, soft-deleted ones excluded',
    description: 'Queries the search index.',
    answer: { description: 'Number of entities.', schema: COUNT, headers: INDEX_HEADERS },
    rejections: BEING_BUILT,
    examples: [{ title: 'One type', body: { entity: 'dataset' } }],
  },
});

export const COUNT_ENTITIES_OF_TYPES = defineRoute({
  ...ROUTE,
  action: 'batchGetTotalEntityCount',
  touches: ({ entities }) => touchTypes(entities),
  parameters: z.object({ entities: z.array(entityTypeName).describe('Names of entity types.') }),
  docs: {
    group: 'Search',
    summary: 'Count the entities of several types, soft-deleted ones excluded',
    description: 'Queries the search index.',
    answer: {
      description: 'Number of entities, by the names in the request.',
      schema: z.record(z.string(), COUNT),
      headers: INDEX_HEADERS,
    },
    rejections: BEING_BUILT,
    examples: [{ title: 'Two types', body: { entities: ['dataset', 'tag'] } }],
  },
});
