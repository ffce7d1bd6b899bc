import { defineRoute, integer, touchTypes } from '@stratalog/http';
import * as z from 'zod';
import { filterAndSort, sorting } from '../filters/filter-and-sort';
import { filter } from '../filters/read-criteria';
import { PAGE_ANSWER, REJECTIONS, SCROLL_ANSWER, SCROLL_REJECTIONS } from './search-answer';
import { answering } from './search-flags';
import {
  INDEX_ROUTE,
  SEARCH_WINDOW,
  entityTypeName,
  entityTypeNames,
  input,
  page,
  rejectBeyondWindow,
  scrolling,
} from './search-parameters';

export const SEARCH = defineRoute({
  ...INDEX_ROUTE,
  action: 'search',
  touches: ({ entity }) => touchTypes([entity]),
  parameters: z
    .object({ input, entity: entityTypeName, ...page, ...filterAndSort, ...answering })
    .superRefine(rejectBeyondWindow),
  docs: {
    group: 'Search',
    summary: 'Search the entities of one type',
    description: `AND joins words. \`"two words"\` is a phrase, \`ord*\` a prefix, \`tags:pii\` searches one field, \`-draft\` excludes, and OR and
parentheses combine. Any input of up to 8,192 bytes is valid. \`*\` finds everything.
The page of an entity type lists its fields and their names. The search excludes soft-deleted entities (\`status\` with \`removed\`), unless the
filter names \`removed\`.`,
    answer: PAGE_ANSWER,
    rejections: REJECTIONS,
    examples: [
      { title: 'Words', body: { input: 'example documentation', entity: 'dataset', start: 0, count: 10 } },
      { title: 'One field', body: { input: 'platform:postgres', entity: 'dataset', start: 0, count: 10 } },
      {
        title: 'Everything, with scores',
        parameters: { 'X-RestLi-Protocol-Version': '2.0.0' },
        body: { input: '*', entity: 'dataset', start: 0, count: 5 },
      },
      {
        title: 'With a filter',
        body: {
          input: '*',
          entity: 'dataset',
          start: 0,
          count: 10,
          filter: { or: [{ and: [{ field: 'platform', value: 'urn:li:dataPlatform:postgres' }] }] },
        },
      },
    ],
  },
});

export const SEARCH_ACROSS = defineRoute({
  ...INDEX_ROUTE,
  action: 'searchAcrossEntities',
  touches: ({ entities }) => touchTypes(entities),
  parameters: z
    .object({ input, entities: entityTypeNames, ...page, ...filterAndSort, ...answering })
    .superRefine(rejectBeyondWindow),
  docs: {
    group: 'Search',
    summary: 'Search the entities of several types, or of all',
    description:
      'As `search`. A filter or order may name a field that only some of the types have; the field `_entityType` holds the type.',
    answer: PAGE_ANSWER,
    rejections: REJECTIONS,
    examples: [
      { title: 'All types', body: { input: 'example', start: 0, count: 10 } },
      {
        title: 'Two types, and two facets',
        body: {
          input: '*',
          entities: ['dataset', 'tag'],
          start: 0,
          count: 0,
          facets: ['_entityType', 'platform'],
          searchFlags: { maxAggValues: 5 },
        },
      },
    ],
  },
});

export const FILTER = defineRoute({
  ...INDEX_ROUTE,
  action: 'filter',
  touches: ({ entity }) => touchTypes([entity]),
  parameters: z
    .object({ filter, entity: entityTypeName, ...page, ...sorting, ...answering })
    .superRefine(rejectBeyondWindow),
  docs: {
    group: 'Search',
    summary: 'Find the entities of one type that pass a filter',
    description:
      'A search for everything with a filter; `search` describes filters and orders. An empty filter matches everything.',
    answer: { ...PAGE_ANSWER, description: 'One page of matches.' },
    rejections: REJECTIONS,
    examples: [
      {
        title: 'Soft-deleted ones',
        body: {
          entity: 'dataset',
          start: 0,
          count: 10,
          filter: { or: [{ and: [{ field: 'removed', value: 'true' }] }] },
        },
      },
    ],
  },
});

export const SCROLL = defineRoute({
  ...INDEX_ROUTE,
  action: 'scrollAcrossEntities',
  touches: ({ entities }) => touchTypes(entities),
  parameters: z.object({
    input,
    entities: entityTypeNames,
    count: integer({ minimum: 1, maximum: SEARCH_WINDOW }).describe('Size of the page.'),
    ...scrolling,
    ...filterAndSort,
    ...answering,
  }),
  docs: {
    group: 'Search',
    summary: 'Read all matches of a search',
    description: `Returns page after page, over any number of entities and several types, by default ordered by urn. Repeat the call with the same parameters and the
\`scrollId\` of the last answer until an answer has none. An entity that matches throughout and keeps its order appears exactly once, despite
concurrent writes.`,
    answer: SCROLL_ANSWER,
    rejections: SCROLL_REJECTIONS,
    examples: [
      { title: 'Datasets and charts', body: { input: '*', entities: ['dataset', 'chart'], count: 100 } },
    ],
  },
});
