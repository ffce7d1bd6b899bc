import {
  MAX_QUERY_TEXT_BYTES,
  PROTOCOL_VERSION,
  WAIT,
  WAIT_FOR,
  defineRoute,
  fail,
  integer,
  text,
  type ValueSchema,
  touchTypes,
} from '@stratalog/http';
import * as z from 'zod';
import { filter, filterAndSort, sorting } from '../filters/filter-and-sort';
import { answering } from './search-flags';

export const COUNT: ValueSchema = { type: 'integer', minimum: 0 };
const NAMED_VALUE: ValueSchema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    value: { type: 'string' },
    fragment: {
      type: 'object',
      description:
        'With `searchFlags.fragments`: a part of the value, and where the matched words are in it.',
      properties: {
        text: { type: 'string' },
        marks: {
          type: 'array',
          items: { type: 'array', items: { type: 'integer' } },
          description: 'Begin and end of each word, in UTF-16 units.',
        },
        isCut: { type: 'boolean', description: 'True: the value goes on.' },
      },
      required: ['text', 'marks', 'isCut'],
    },
  },
  required: ['name', 'value'],
};
const MATCHED_FIELDS: ValueSchema = {
  type: 'array',
  items: NAMED_VALUE,
  description: 'Fields whose values matched the words.',
};
const COUNTS: ValueSchema = {
  type: 'object',
  additionalProperties: COUNT,
  description: 'Number of matches with each value.',
};

const FACET: ValueSchema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    displayName: { type: 'string' },
    aggregations: COUNTS,
    filterValues: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          value: { type: 'string' },
          entity: { type: 'string', description: 'The value again when it is a urn.' },
          displayName: { type: 'string', description: 'Name of the entity that the urn identifies.' },
          facetCount: COUNT,
          filtered: { type: 'boolean', description: 'True for a value that the filter selects.' },
        },
        required: ['value', 'facetCount'],
      },
    },
  },
  required: ['name', 'aggregations'],
};

const METADATA: ValueSchema = {
  type: 'object',
  properties: {
    urns: { type: 'array', items: { type: 'string' } },
    matches: {
      type: 'array',
      items: { type: 'object', properties: { matchedFields: MATCHED_FIELDS }, required: ['matchedFields'] },
    },
    searchResultMetadatas: {
      type: 'array',
      description: 'Facets in their older form.',
      items: {
        type: 'object',
        properties: { name: { type: 'string' }, aggregations: COUNTS },
        required: ['name', 'aggregations'],
      },
    },
    aggregations: { type: 'array', items: FACET, description: 'Facets in their newer form.' },
    suggestions: {
      type: 'array',
      items: {
        type: 'object',
        properties: { text: { type: 'string' }, score: { type: 'number' }, frequency: COUNT },
        required: ['text', 'score', 'frequency'],
      },
      description: 'Other spellings of a query that matches nothing, each with the number of its matches.',
    },
    fallback: {
      type: 'string',
      enum: ['similarWords', 'someWords'],
      description:
        'Present when no entity has all words of the query: the answer then has entities with similar words, or with some of them.',
    },
  },
  required: ['urns', 'matches', 'searchResultMetadatas', 'aggregations', 'suggestions'],
};

/** Deepest page of every engine, in hits. */
const SEARCH_WINDOW = 10_000;

export const entityTypeName = z.string().describe('Name of the entity type, in any case.');
export const entityTypeNames = z
  .array(entityTypeName)
  .optional()
  .describe('Names of entity types; all types when absent or empty.');
export const input = text(MAX_QUERY_TEXT_BYTES).describe('The search query.');
export const page = {
  start: integer({ minimum: 0, maximum: SEARCH_WINDOW }).describe('Number of matches to skip.'),
  count: integer({ minimum: 0, maximum: SEARCH_WINDOW }).describe(
    'Size of the page; `start + count` is at most 10,000.',
  ),
};

/** Rejects a page that ends beyond the window. */
export function rejectBeyondWindow(
  { start, count }: { readonly start: number; readonly count: number },
  context: z.RefinementCtx,
): void {
  if (start + count <= SEARCH_WINDOW) return;
  const reason = `start + count is ${String(start + count)}, but must not exceed ${String(SEARCH_WINDOW)}`;
  fail(context, { reason }, ['count']);
}

const KEEP_ALIVE = /^(\d{1,9})(ms|s|m|h|d)$/;
const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** Longest lifetime, as in the original's engine. */
const MAX_KEEP_ALIVE_MS = 86_400_000;

function parseKeepAlive(sent: string, context: z.RefinementCtx): number {
  const [, digits, unit = ''] = KEEP_ALIVE.exec(sent) ?? [];
  const keepAliveMs = Number(digits) * (UNIT_MS[unit] ?? NaN);
  if (keepAliveMs > 0 && keepAliveMs <= MAX_KEEP_ALIVE_MS) return keepAliveMs;
  return fail(context, { reason: `"${sent.slice(0, 100)}" is not a time of up to 1d, like 5m` });
}

/** What all routes that query the search index have in common. */
export const INDEX_ROUTE = {
  path: 'entities',
  app: 'query',
  writes: false,
  otherParameters: [PROTOCOL_VERSION, WAIT_FOR, WAIT],
} as const;

export const INDEX_HEADERS = {
  'X-Stratalog-Position': 'The position of the index.',
  'X-Stratalog-Lag':
    'Number of changes in the store that the index does not include; 0 when it is up to date.',
};
export const REJECTIONS = {
  400: 'A parameter is missing or wrong, or a filter or order names a field outside the entity type.',
  503: 'The index is being built, or did not reach the position in time. Repeat the call.',
};

/** A match as an object. */
export const MATCH_OBJECT = {
  type: 'object',
  properties: {
    entity: { type: 'string', description: 'Urn.' },
    matchedFields: MATCHED_FIELDS,
    score: { type: 'number' },
  },
  required: ['entity', 'matchedFields', 'score'],
} satisfies ValueSchema;

/** Members of the answers of all searches. */
export const MATCHES = {
  numEntities: { ...COUNT, description: 'Exact number of all matches.' },
  pageSize: { ...COUNT, description: 'The `count` of the request.' },
  entities: {
    type: 'array',
    description: 'Urns, or objects: see the header `X-RestLi-Protocol-Version`.',
    items: {
      anyOf: [{ type: 'string' }, MATCH_OBJECT],
    },
  },
  metadata: METADATA,
} satisfies Record<string, ValueSchema>;

const RESULT: ValueSchema = {
  type: 'object',
  properties: { ...MATCHES, from: { ...COUNT, description: 'The `start` of the request.' } },
  required: ['numEntities', 'pageSize', 'from', 'entities', 'metadata'],
};

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
    answer: {
      description: 'One page of matches, ordered by score unless the request has an order.',
      schema: RESULT,
      headers: INDEX_HEADERS,
    },
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
    answer: {
      description: 'One page of matches, ordered by score unless the request has an order.',
      schema: RESULT,
      headers: INDEX_HEADERS,
    },
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
    answer: { description: 'One page of matches.', schema: RESULT, headers: INDEX_HEADERS },
    rejections: REJECTIONS,
    examples: [
      {
        title: 'Hidden ones',
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

/** Parameters that join the pages of a scroll. */
export const scrolling = {
  scrollId: z.string().optional().describe('`scrollId` of the page before. Absent: the first page.'),
  keepAlive: z
    .string()
    .default('5m')
    .transform(parseKeepAlive)
    .describe('Lifetime of the id of this page: a number with `ms`, `s`, `m`, `h` or `d`, up to `1d`.'),
};

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
    answer: {
      description: 'One page of matches. Only the first page has facets.',
      schema: {
        type: 'object',
        properties: {
          ...MATCHES,
          scrollId: { type: 'string', description: 'Id for the next page; absent on the last.' },
        },
        required: ['numEntities', 'pageSize', 'entities', 'metadata'],
      },
      headers: INDEX_HEADERS,
    },
    rejections: {
      ...REJECTIONS,
      400: 'A parameter is missing or wrong, or the scroll id is unknown, expired or of another query.',
    },
    examples: [
      { title: 'Datasets and charts', body: { input: '*', entities: ['dataset', 'chart'], count: 100 } },
    ],
  },
});
