import type { RouteDocs, ValueSchema } from '@stratalog/http';

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

export const SEARCH: RouteDocs = {
  group: 'Search',
  summary: 'Search the entities of one type',
  description: `Words are joined by AND. \`"two words"\` is a phrase, \`ord*\` a prefix, \`tags:pii\` asks one field, \`-draft\` excludes, and OR and
parentheses combine. Nothing that a user types is an error. \`*\` finds everything.

Which fields a type has, and under which names, stands on the page of its entity. Entities whose \`status\` says \`removed\` are hidden.`,
  parameters: [
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
      description:
        'A position that the answer must include, as a write answered it in `X-Stratalog-Position`.',
      schema: { type: 'string' },
    },
  ],
  body: {
    type: 'object',
    properties: {
      input: { type: 'string', description: 'What is searched for.' },
      entity: { type: 'string', description: 'Name of the entity type, in any case.' },
      start: { ...COUNT, maximum: 10_000, description: 'How many matches are skipped.' },
      count: {
        ...COUNT,
        maximum: 10_000,
        description: 'How many matches come; `start + count` is at most 10,000.',
      },
      filter: { type: 'object', description: 'Not supported yet: anything but an empty filter is refused.' },
      sort: { type: 'object', description: 'Not supported yet, and refused.' },
      sortCriteria: {
        type: 'array',
        items: { type: 'object' },
        description: 'Not supported yet: anything but an empty list is refused.',
      },
    },
    required: ['input', 'entity', 'start', 'count'],
  },
  answer: {
    description: 'One page of matches, the best first.',
    schema: {
      type: 'object',
      properties: {
        numEntities: { ...COUNT, description: 'Exact number of all matches.' },
        pageSize: { ...COUNT, description: 'The `count` that was asked for.' },
        from: { ...COUNT, description: 'The `start` that was asked for.' },
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
      },
      required: ['numEntities', 'pageSize', 'from', 'entities', 'metadata'],
    },
    headers: {
      'X-Stratalog-Position': 'How far the index was.',
      'X-Stratalog-Lag': 'How many changes of the store the index had not; 0 means that nothing is missing.',
    },
  },
  refusals: {
    503: 'The first index is being built, or the position did not come in time. Repeat the call.',
  },
  examples: [
    { title: 'Words', body: { input: 'example documentation', entity: 'dataset', start: 0, count: 10 } },
    { title: 'One field', body: { input: 'platform:postgres', entity: 'dataset', start: 0, count: 10 } },
    {
      title: 'Everything, with scores',
      parameters: { 'X-RestLi-Protocol-Version': '2.0.0' },
      body: { input: '*', entity: 'dataset', start: 0, count: 5 },
    },
  ],
};
