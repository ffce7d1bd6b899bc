import type { ValueSchema } from '@stratalog/http';

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

/** The answer of a search that is read by `start` and `count`. */
export const PAGE_ANSWER = describePage(MATCHES);
/** The answer of a search that is read by `scrollId`. */
export const SCROLL_ANSWER = describeScroll(MATCHES);
export const SCROLL_REJECTIONS = {
  ...REJECTIONS,
  400: 'A parameter is missing or wrong, or the scroll id is unknown, expired or of another query.',
};

/** Describes a page of matches with these members. */
export function describePage(members: Readonly<Record<string, ValueSchema>>) {
  return {
    description: 'One page of matches, ordered by score unless the request has an order.',
    schema: {
      type: 'object',
      properties: { ...members, from: { ...COUNT, description: 'The `start` of the request.' } },
      required: ['numEntities', 'pageSize', 'from', 'entities', 'metadata'],
    },
    headers: INDEX_HEADERS,
  } as const;
}

/** Describes a page of a scroll with these members. */
export function describeScroll(members: Readonly<Record<string, ValueSchema>>) {
  return {
    description: 'One page of matches. Only the first page has facets.',
    schema: {
      type: 'object',
      properties: {
        ...members,
        scrollId: { type: 'string', description: 'Id for the next page; absent on the last.' },
      },
      required: ['numEntities', 'pageSize', 'entities', 'metadata'],
    },
    headers: INDEX_HEADERS,
  } as const;
}
