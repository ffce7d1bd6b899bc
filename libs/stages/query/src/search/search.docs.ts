import type { RouteDocs, ValueSchema } from '@stratalog/http';
import { CONDITIONS } from '../filters/read-criteria';

const COUNT: ValueSchema = { type: 'integer', minimum: 0 };
const NAMED_VALUE: ValueSchema = {
  type: 'object',
  properties: { name: { type: 'string' }, value: { type: 'string' } },
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
          facetCount: COUNT,
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
    suggestions: { type: 'array', items: { type: 'object' }, description: 'Always empty for now.' },
  },
  required: ['urns', 'matches', 'searchResultMetadatas', 'aggregations', 'suggestions'],
};

const CRITERION: ValueSchema = {
  type: 'object',
  properties: {
    field: { type: 'string', description: 'Name of a searchable field; a suffix `.keyword` is ignored.' },
    condition: {
      type: 'string',
      enum: CONDITIONS,
      default: 'EQUAL',
    },
    value: { type: 'string', description: 'Value to compare with. A blank value disables the criterion.' },
    values: { type: 'array', items: { type: 'string' }, description: 'Several values, instead of `value`.' },
    negated: { type: 'boolean', default: false },
  },
  required: ['field'],
};
const ORDER: ValueSchema = {
  type: 'object',
  properties: {
    field: { type: 'string', description: 'Name of a searchable field, or `urn`.' },
    order: { type: 'string', enum: ['ASCENDING', 'DESCENDING'], default: 'ASCENDING' },
  },
  required: ['field'],
};

/** Members of a body for filter and order. */
export const FILTER_AND_SORT = {
  filter: {
    type: 'object',
    description:
      'A match satisfies at least one list under `or`, and of that list every criterion under `and`. EQUAL and IN compare exactly, other conditions ignore case. Numbers and booleans compare by value.',
    properties: {
      or: {
        type: 'array',
        items: { type: 'object', properties: { and: { type: 'array', items: CRITERION } } },
      },
      criteria: {
        type: 'array',
        items: CRITERION,
        deprecated: true,
        description: 'One list that must hold; read when `or` is absent.',
      },
    },
  },
  sort: { ...ORDER, description: 'Orders by a field, then by urn. Entities without a value come last.' },
  sortCriteria: { type: 'array', items: ORDER, description: 'Several fields, instead of `sort`.' },
  searchFlags: {
    type: 'object',
    properties: {
      includeSoftDeleted: {
        type: 'boolean',
        default: false,
        description: 'True: includes soft-deleted entities.',
      },
    },
  },
} satisfies Record<string, ValueSchema>;

const PROTOCOL_AND_POSITION: RouteDocs['parameters'] = [
  {
    in: 'header',
    name: 'X-RestLi-Protocol-Version',
    description:
      'With `2.0.0` each member of `entities` is an object with the urn, its matched fields and its score; otherwise it is a urn.',
    schema: { type: 'string', enum: ['1.0.0', '2.0.0'], default: '1.0.0' },
  },
  {
    in: 'header',
    name: 'X-Stratalog-Wait-For',
    description: 'A position that the answer must include, from the `X-Stratalog-Position` of a write.',
    schema: { type: 'string' },
  },
];

const ENTITY: ValueSchema = { type: 'string', description: 'Name of the entity type, in any case.' };
const INPUT: ValueSchema = { type: 'string', description: 'The search query.' };
const PAGE = {
  start: { ...COUNT, maximum: 10_000, description: 'Number of matches to skip.' },
  count: {
    ...COUNT,
    maximum: 10_000,
    description: 'Size of the page; `start + count` is at most 10,000.',
  },
};

const ANSWER_HEADERS = {
  'X-Stratalog-Position': 'The position of the index.',
  'X-Stratalog-Lag':
    'Number of changes in the store that the index does not include; 0 when it is up to date.',
};
const REJECTIONS = {
  400: 'A parameter is missing or wrong, or a filter or order names a field outside the entity type.',
  503: 'The index is being built, or did not reach the position in time. Repeat the call.',
};

/** Members of the answers of all searches. */
const MATCHES = {
  numEntities: { ...COUNT, description: 'Exact number of all matches.' },
  pageSize: { ...COUNT, description: 'The `count` of the request.' },
  entities: {
    type: 'array',
    description: 'Urns, or objects: see the header `X-RestLi-Protocol-Version`.',
    items: {
      anyOf: [
        { type: 'string' },
        {
          type: 'object',
          properties: {
            entity: { type: 'string', description: 'Urn.' },
            matchedFields: MATCHED_FIELDS,
            score: { type: 'number' },
          },
          required: ['entity', 'matchedFields', 'score'],
        },
      ],
    },
  },
  metadata: METADATA,
} satisfies Record<string, ValueSchema>;

const RESULT: ValueSchema = {
  type: 'object',
  properties: { ...MATCHES, from: { ...COUNT, description: 'The `start` of the request.' } },
  required: ['numEntities', 'pageSize', 'from', 'entities', 'metadata'],
};

export const SEARCH: RouteDocs = {
  group: 'Search',
  summary: 'Search the entities of one type',
  onlyReads: true,
  description: `AND joins words. \`"two words"\` is a phrase, \`ord*\` a prefix, \`tags:pii\` searches one field, \`-draft\` excludes, and OR and
parentheses combine. Any input of up to 8,192 bytes is valid. \`*\` finds everything.
The page of an entity type lists its fields and their names. The search excludes soft-deleted entities (\`status\` with \`removed\`), unless the
filter names \`removed\`.`,
  parameters: PROTOCOL_AND_POSITION,
  body: {
    type: 'object',
    properties: { input: INPUT, entity: ENTITY, ...PAGE, ...FILTER_AND_SORT },
    required: ['input', 'entity', 'start', 'count'],
  },
  answer: {
    description: 'One page of matches, ordered by score unless the request has an order.',
    schema: RESULT,
    headers: ANSWER_HEADERS,
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
};

export const FILTER: RouteDocs = {
  group: 'Search',
  summary: 'Find the entities of one type that pass a filter',
  onlyReads: true,
  description:
    'A search for everything with a filter; `search` describes filters and orders. An empty filter matches everything.',
  parameters: PROTOCOL_AND_POSITION,
  body: {
    type: 'object',
    properties: { entity: ENTITY, ...PAGE, ...FILTER_AND_SORT },
    required: ['entity', 'filter', 'start', 'count'],
  },
  answer: { description: 'One page of matches.', schema: RESULT, headers: ANSWER_HEADERS },
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
};

export const SCROLL: RouteDocs = {
  group: 'Search',
  summary: 'Read all matches of a search',
  onlyReads: true,
  description: `Returns page after page, over any number of entities and several types, by default ordered by urn. Repeat the call with the same parameters and the
\`scrollId\` of the last answer until an answer has none. An entity that matches throughout and keeps its order appears exactly once, despite
concurrent writes.`,
  parameters: PROTOCOL_AND_POSITION,
  body: {
    type: 'object',
    properties: {
      input: INPUT,
      entities: {
        type: 'array',
        items: ENTITY,
        description: 'Names of entity types; all types when absent or empty.',
      },
      count: { type: 'integer', minimum: 1, maximum: 10_000, description: 'Size of the page.' },
      scrollId: { type: 'string', description: '`scrollId` of the page before. Absent: the first page.' },
      keepAlive: {
        type: 'string',
        default: '5m',
        description: 'Lifetime of the id of this page: a number with `ms`, `s`, `m`, `h` or `d`, up to `1d`.',
      },
      ...FILTER_AND_SORT,
    },
    required: ['input', 'count'],
  },
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
    headers: ANSWER_HEADERS,
  },
  rejections: {
    ...REJECTIONS,
    400: 'A parameter is missing or wrong, or the scroll id is unknown, expired or of another query.',
  },
  examples: [
    { title: 'Datasets and charts', body: { input: '*', entities: ['dataset', 'chart'], count: 100 } },
  ],
};
