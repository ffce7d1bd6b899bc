import {
  EXAMPLE_URN,
  WAIT,
  WAIT_FOR,
  defineRoute,
  flag,
  integer,
  urnInPath,
  type ValueSchema,
} from '@stratalog/http';
import * as z from 'zod';
import { asOf, following, lineageUrn, maxHops, rejectEmptyRange } from './lineage-parameters';

/** Largest page, in entities; a larger one would be megabytes. */
const MAX_COUNT = 10_000;
/** Most urns of one call. */
const MAX_URNS = 100;
const COUNT: ValueSchema = { type: 'integer', minimum: 0 };
const TIME: ValueSchema = { type: 'integer', format: 'int64' };
const URNS: ValueSchema = { type: 'array', items: { type: 'string' } };

const page = {
  start: integer({ minimum: 0 }).default(0).describe('Number of entities to skip.'),
  count: integer({ minimum: 0, maximum: MAX_COUNT }).default(100).describe('Most entities of the page.'),
};

/** How lineage leads to an entity. */
export const LINEAGE_STEP: Record<string, ValueSchema> = {
  degree: { ...COUNT, description: 'Least number of hops.' },
  degrees: { type: 'array', items: COUNT, description: 'The degree, as newer clients read it.' },
  paths: {
    type: 'array',
    items: URNS,
    description: 'Up to ten of the shortest paths, each from the start to the entity.',
  },
  path: { ...URNS, description: 'The first of the paths.' },
  explored: { type: 'boolean', description: 'True: its own lineage was followed.' },
  truncatedChildren: { type: 'boolean', description: 'True: only a part of its own lineage was followed.' },
};

/** The members of an answer about a past time. */
export const ABOUT_PAST: Record<string, ValueSchema> = {
  asOf: { ...TIME, description: 'The requested time, in epoch milliseconds; absent without one.' },
  purged: {
    type: 'object',
    description:
      'Entities whose lineage at that time retention or a hard delete purged, anywhere in the catalog: their edges of that time are missing. Absent when there are none.',
    properties: {
      total: COUNT,
      entities: { ...URNS, description: 'The first 100.' },
    },
    required: ['total', 'entities'],
  },
};

const LINEAGE: ValueSchema = {
  type: 'object',
  properties: {
    ...ABOUT_PAST,
    start: { ...COUNT, description: 'The `start` of the request.' },
    count: { ...COUNT, description: 'Number of entities on this page.' },
    total: { ...COUNT, description: 'Number of entities on all pages.' },
    filtered: {
      ...COUNT,
      description: 'Number of entities that were left out as soft-deleted or missing; absent when 0.',
    },
    partial: { type: 'boolean', description: 'True: a limit cut the lineage.' },
    continueAt: {
      ...URNS,
      description: 'When partial: entities whose lineage is missing; ask for it one hop at a time.',
    },
    relationships: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          type: { type: 'string', description: 'Name of the relationship of the last hop.' },
          entity: { type: 'string', description: 'Urn.' },
          ...LINEAGE_STEP,
          createdOn: { ...TIME, description: 'When the last hop was created. Epoch milliseconds.' },
          createdActor: { type: 'string' },
          updatedOn: { ...TIME, description: 'When it was last changed. Epoch milliseconds.' },
          updatedActor: { type: 'string' },
          isManual: { type: 'boolean', description: 'True: a person drew the last hop in a user interface.' },
          properties: { type: 'object', additionalProperties: { type: 'string' } },
          via: { type: 'string', description: 'Urn of the query or job that produced the last hop.' },
        },
        required: ['type', 'entity', 'degree', 'paths', 'createdOn', 'updatedOn', 'explored'],
      },
    },
  },
  required: ['start', 'count', 'total', 'relationships'],
};

const LINEAGE_ROUTE = {
  path: 'relationships',
  app: 'query',
  writes: false,
  otherParameters: [WAIT_FOR, WAIT],
} as const;
export const LINEAGE_HEADERS = {
  'X-Stratalog-Position': 'The position of the graph.',
  'X-Stratalog-Lag':
    'Number of changes in the store that the graph does not include; 0 when it is up to date.',
};
export const LINEAGE_REJECTIONS = {
  400: 'A parameter is missing or wrong, or the urn is of a type without lineage.',
  503: 'The first graph is being built, or the graph did not reach the position in time. Repeat the call.',
};

export const GET_LINEAGE = defineRoute({
  ...LINEAGE_ROUTE,
  action: 'getLineage',
  parameters: z.object({ urn: lineageUrn, ...following, asOf, ...page }).superRefine(rejectEmptyRange),
  docs: {
    group: 'Relationships',
    summary: 'Read what an entity or column is made from, or what is made from it',
    description: `Follows lineage edges breadth-first. Each entity appears once, at its least distance; cycles end.
An entity that is left out, because it is soft-deleted or missing, ends the paths through it. At most 5,000 entities are followed from one
entity, and at most 20,000 in all; an answer that lacks some says \`partial\`.`,
    answer: {
      description: 'One page, ordered by degree and then by urn.',
      schema: LINEAGE,
      headers: LINEAGE_HEADERS,
    },
    rejections: LINEAGE_REJECTIONS,
    examples: [
      { title: 'One hop', body: { urn: EXAMPLE_URN, direction: 'UPSTREAM' } },
      {
        title: 'Everything downstream',
        body: { urn: EXAMPLE_URN, direction: 'DOWNSTREAM', maxHops: 10, count: 1_000 },
      },
      {
        title: 'One column',
        body: { urn: `urn:li:schemaField:(${EXAMPLE_URN},id)`, direction: 'UPSTREAM', maxHops: 3 },
      },
    ],
  },
});

export const BATCH_GET_LINEAGE = defineRoute({
  ...LINEAGE_ROUTE,
  action: 'batchGetLineage',
  parameters: z
    .object({
      urns: z.array(lineageUrn).min(1).max(MAX_URNS).describe('The entities and columns, up to 100.'),
      ...following,
      asOf,
      ...page,
    })
    .superRefine(rejectEmptyRange),
  docs: {
    group: 'Relationships',
    summary: 'Read the lineage of several entities or columns',
    description: 'As `getLineage`, for each urn.',
    answer: {
      description: 'The page of each urn.',
      schema: {
        type: 'object',
        properties: { results: { type: 'object', additionalProperties: LINEAGE } },
        required: ['results'],
      },
      headers: LINEAGE_HEADERS,
    },
    rejections: LINEAGE_REJECTIONS,
    examples: [{ title: 'Two datasets', body: { urns: [EXAMPLE_URN], direction: 'UPSTREAM', maxHops: 2 } }],
  },
});

const COUNTS: ValueSchema = { type: 'object', additionalProperties: COUNT };

export const DESCRIBE_IMPACT = defineRoute({
  path: 'lineage/:urn/impact',
  app: 'query',
  parameters: z.object({
    urn: urnInPath,
    column: z.string().min(1).optional().describe('Field path of a column: what depends on it alone.'),
    maxHops: maxHops.default(1_000).describe('Most hops from the entity.'),
    count: integer({ minimum: 0, maximum: 1_000 }).default(100).describe('Most entities that are named.'),
    includeSoftDeleted: flag().default(false).describe('True: soft-deleted entities count too.'),
    asOf,
  }),
  otherParameters: [WAIT_FOR, WAIT],
  docs: {
    group: 'Relationships',
    summary: 'Count what depends on an entity or a column, and whom to ask',
    description: `Counts everything downstream, by type, platform, distance and owner, and names the nearest entities with their shortest path.
Platforms and owners come from the search index, those of today also with \`asOf\`; entities that it does not have count in \`entities\` alone.`,
    answer: {
      description: 'The counts.',
      schema: {
        type: 'object',
        properties: {
          urn: { type: 'string' },
          column: { type: 'string' },
          ...ABOUT_PAST,
          entities: { ...COUNT, description: 'Number of entities downstream.' },
          columns: { ...COUNT, description: 'Number of columns downstream.' },
          byType: COUNTS,
          byDegree: { ...COUNTS, description: 'By least number of hops.' },
          byPlatform: COUNTS,
          owners: {
            type: 'array',
            description: 'Those to ask, with the number of entities; the greatest number first.',
            items: {
              type: 'object',
              properties: { owner: { type: 'string' }, name: { type: 'string' }, entities: COUNT },
              required: ['owner', 'entities'],
            },
          },
          withoutOwner: { ...COUNT, description: 'Number of entities in the search index without an owner.' },
          nearest: {
            type: 'array',
            items: {
              type: 'object',
              properties: { entity: { type: 'string' }, degree: COUNT, path: URNS },
              required: ['entity', 'degree', 'path'],
            },
          },
          filtered: { ...COUNT, description: 'Number of entities that were left out; absent when 0.' },
          partial: { type: 'boolean', description: 'True: a limit cut the lineage, so there may be more.' },
        },
        required: ['urn', 'entities', 'columns', 'byType', 'byDegree', 'byPlatform', 'owners', 'nearest'],
      },
      headers: LINEAGE_HEADERS,
    },
    rejections: LINEAGE_REJECTIONS,
    examples: [
      { title: 'Everything that depends on a dataset', parameters: { urn: EXAMPLE_URN } },
      { title: 'What would break without one column', parameters: { urn: EXAMPLE_URN, column: 'id' } },
    ],
  },
});
