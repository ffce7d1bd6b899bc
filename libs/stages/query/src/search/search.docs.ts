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
  description: 'Fields whose values the words matched.',
};
const COUNTS: ValueSchema = {
  type: 'object',
  additionalProperties: COUNT,
  description: 'How many matches have each value.',
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
    field: { type: 'string', description: 'Name of a searchable field; `.keyword` behind it does no harm.' },
    condition: {
      type: 'string',
      enum: CONDITIONS,
      default: 'EQUAL',
    },
    value: { type: 'string', description: 'What is compared with. Blank: the criterion asks for nothing.' },
    values: { type: 'array', items: { type: 'string' }, description: 'Several, instead of `value`.' },
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

/** The members of a body that say what a search is narrowed to and ordered by. */
export const FILTER_AND_SORT = {
  filter: {
    type: 'object',
    description:
      'One of the lists under `or` must hold, and of a list all that is under `and`. EQUAL and IN compare exactly, everything else without regard to case, numbers and booleans by what they are.',
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
      includeSoftDeleted: { type: 'boolean', default: false, description: 'True: hidden entities come too.' },
    },
  },
} satisfies Record<string, ValueSchema>;

const PROTOCOL_AND_POSITION: RouteDocs['parameters'] = [
  {
    in: 'header',
    name: 'X-RestLi-Protocol-Version',
    description:
      'With `2.0.0` each member of `entities` is an object with the urn, its matched fields and its score; else it is a urn.',
    schema: { type: 'string', enum: ['1.0.0', '2.0.0'], default: '1.0.0' },
  },
  {
    in: 'header',
    name: 'X-Stratalog-Wait-For',
    description: 'A position that the answer must include, as a write answered it in `X-Stratalog-Position`.',
    schema: { type: 'string' },
  },
];

const ENTITY: ValueSchema = { type: 'string', description: 'Name of the entity type, in any case.' };
const INPUT: ValueSchema = { type: 'string', description: 'What is searched for.' };
const PAGE = {
  start: { ...COUNT, maximum: 10_000, description: 'How many matches are skipped.' },
  count: {
    ...COUNT,
    maximum: 10_000,
    description: 'How many matches come; `start + count` is at most 10,000.',
  },
};

const ANSWER_HEADERS = {
  'X-Stratalog-Position': 'How far the index was.',
  'X-Stratalog-Lag': 'How many changes of the store the index had not; 0 means that nothing is missing.',
};
const REJECTIONS = {
  400: 'A parameter is missing or wrong; a filter or order names a field that the entity type does not have.',
  503: 'The index is being built, or the position did not come in time. Repeat the call.',
};

/** The members that the answers of all searches have. */
const MATCHES = {
  numEntities: { ...COUNT, description: 'Exact number of all matches.' },
  pageSize: { ...COUNT, description: 'The `count` that was asked for.' },
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
  properties: { ...MATCHES, from: { ...COUNT, description: 'The `start` that was asked for.' } },
  required: ['numEntities', 'pageSize', 'from', 'entities', 'metadata'],
};

export const SEARCH: RouteDocs = {
  group: 'Search',
  summary: 'Search the entities of one type',
  onlyReads: true,
  description: `Words are joined by AND. \`"two words"\` is a phrase, \`ord*\` a prefix, \`tags:pii\` asks one field, \`-draft\` excludes, and OR and
parentheses combine. Nothing that a user types is an error, up to 8,192 bytes. \`*\` finds everything.

Which fields a type has, and under which names, stands on the page of its entity. Entities whose \`status\` says \`removed\` are hidden, unless the
filter names \`removed\`.`,
  parameters: PROTOCOL_AND_POSITION,
  body: {
    type: 'object',
    properties: { input: INPUT, entity: ENTITY, ...PAGE, ...FILTER_AND_SORT },
    required: ['input', 'entity', 'start', 'count'],
  },
  answer: { description: 'One page of matches, the best first.', schema: RESULT, headers: ANSWER_HEADERS },
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
    'A search for everything with a filter; see there for what filters and orders are. An empty filter lets everything through.',
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
  summary: 'Walk through everything that a search finds',
  onlyReads: true,
  description: `Page by page, of any number of entities and of several types. Without an order they come by urn. Send the same parameters with the
\`scrollId\` of each answer until one has none. What is found all the time, and does not move in the order, comes just once, whatever is
written meanwhile.`,
  parameters: PROTOCOL_AND_POSITION,
  body: {
    type: 'object',
    properties: {
      input: INPUT,
      entities: {
        type: 'array',
        items: ENTITY,
        description: 'Names of entity types; all when it is absent or empty.',
      },
      count: { type: 'integer', minimum: 1, maximum: 10_000, description: 'How many matches a page has.' },
      scrollId: { type: 'string', description: 'That of the page before. Absent: the first page.' },
      keepAlive: {
        type: 'string',
        default: '5m',
        description:
          'How long the id of this page is good: a number with `ms`, `s`, `m`, `h` or `d`, up to `1d`.',
      },
      ...FILTER_AND_SORT,
    },
    required: ['input', 'count'],
  },
  answer: {
    description: 'One page of matches. Facets are told with the first.',
    schema: {
      type: 'object',
      properties: {
        ...MATCHES,
        scrollId: { type: 'string', description: 'For the next page; absent when there is none.' },
      },
      required: ['numEntities', 'pageSize', 'entities', 'metadata'],
    },
    headers: ANSWER_HEADERS,
  },
  rejections: {
    ...REJECTIONS,
    400: 'A parameter is missing or wrong; the id is none of ours, of another question, or older than its `keepAlive`.',
  },
  examples: [
    { title: 'Datasets and charts', body: { input: '*', entities: ['dataset', 'chart'], count: 100 } },
  ],
};
