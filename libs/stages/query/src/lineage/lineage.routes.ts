import {
  INT64,
  COUNT,
  EXAMPLE_URN,
  WAIT,
  WAIT_FOR,
  defineRoute,
  flag,
  integer,
  urnInPath,
} from '@stratalog/http';
import * as z from 'zod';
import { asOf, following, lineageUrn, maxHops, rejectEmptyRange } from './lineage-parameters';

/** Largest page, in entities; a larger one would be megabytes. */
const MAX_COUNT = 10_000;
/** Most urns of one call. */
const MAX_URNS = 100;
const URNS = z.array(z.string());

const page = {
  start: integer({ minimum: 0 }).default(0).describe('Number of entities to skip.'),
  count: integer({ minimum: 0, maximum: MAX_COUNT }).default(100).describe('Most entities of the page.'),
};

const EXPLORED = z.boolean().describe('True: its own lineage was followed.');

/** How lineage leads to an entity. */
export const LINEAGE_STEP = {
  degree: COUNT.describe('Least number of hops.'),
  degrees: z.array(COUNT).optional().describe('The degree, as newer clients read it.'),
  paths: z.array(URNS).describe('Up to ten of the shortest paths, each from the start to the entity.'),
  path: URNS.optional().describe('The first of the paths.'),
  explored: EXPLORED.optional(),
  truncatedChildren: z.boolean().optional().describe('True: only a part of its own lineage was followed.'),
};

/** The members of an answer about a past time. */
export const ABOUT_PAST = {
  asOf: INT64.optional().describe('The requested time, in epoch milliseconds; absent without one.'),
  purged: z
    .object({ total: COUNT, entities: URNS.describe('The first 100.') })
    .optional()
    .describe(
      'Entities whose lineage at that time retention or a hard delete purged, anywhere in the catalog: their edges of that time are missing. Absent when there are none.',
    ),
};

const LINEAGE = z.object({
  ...ABOUT_PAST,
  start: COUNT.describe('The `start` of the request.'),
  count: COUNT.describe('Number of entities on this page.'),
  total: COUNT.describe('Number of entities on all pages.'),
  filtered: COUNT.optional().describe(
    'Number of entities that were left out as soft-deleted or missing; absent when 0.',
  ),
  partial: z.boolean().optional().describe('True: a limit cut the lineage.'),
  continueAt: URNS.optional().describe(
    'When partial: entities whose lineage is missing; ask for it one hop at a time.',
  ),
  relationships: z.array(
    z.object({
      type: z.string().describe('Name of the relationship of the last hop.'),
      entity: z.string().describe('Urn.'),
      ...LINEAGE_STEP,
      explored: EXPLORED,
      createdOn: INT64.describe('When the last hop was created. Epoch milliseconds.'),
      createdActor: z.string().optional(),
      updatedOn: INT64.describe('When it was last changed. Epoch milliseconds.'),
      updatedActor: z.string().optional(),
      isManual: z.boolean().optional().describe('True: a person drew the last hop in a user interface.'),
      properties: z.record(z.string(), z.string()).optional(),
      via: z.string().optional().describe('Urn of the query or job that produced the last hop.'),
    }),
  ),
});

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
      schema: z.object({ results: z.record(z.string(), LINEAGE) }),
      headers: LINEAGE_HEADERS,
    },
    rejections: LINEAGE_REJECTIONS,
    examples: [{ title: 'Two datasets', body: { urns: [EXAMPLE_URN], direction: 'UPSTREAM', maxHops: 2 } }],
  },
});

const COUNTS = z.record(z.string(), COUNT);

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
      schema: z.object({
        urn: z.string(),
        column: z.string().optional(),
        ...ABOUT_PAST,
        entities: COUNT.describe('Number of entities downstream.'),
        columns: COUNT.describe('Number of columns downstream.'),
        byType: COUNTS,
        byDegree: COUNTS.describe('By least number of hops.'),
        byPlatform: COUNTS,
        owners: z
          .array(z.object({ owner: z.string(), name: z.string().optional(), entities: COUNT }))
          .describe('Those to ask, with the number of entities; the greatest number first.'),
        withoutOwner: COUNT.optional().describe('Number of entities in the search index without an owner.'),
        nearest: z.array(z.object({ entity: z.string(), degree: COUNT, path: URNS })),
        filtered: COUNT.optional().describe('Number of entities that were left out; absent when 0.'),
        partial: z.boolean().optional().describe('True: a limit cut the lineage, so there may be more.'),
      }),
      headers: LINEAGE_HEADERS,
    },
    rejections: LINEAGE_REJECTIONS,
    examples: [
      { title: 'Everything that depends on a dataset', parameters: { urn: EXAMPLE_URN } },
      { title: 'What would break without one column', parameters: { urn: EXAMPLE_URN, column: 'id' } },
    ],
  },
});
