import {
  COUNT,
  AUDIT_STAMP,
  EXAMPLE_URN,
  WAIT,
  WAIT_FOR,
  defineRoute,
  fail,
  integer,
  oneOf,
  touchEntities,
} from '@stratalog/http';
import { EDGE_DIRECTIONS, didYouMean, parseUrn } from '@stratalog/domain';
import * as z from 'zod';

/** Largest page, in edges; a larger one would be megabytes. */
const MAX_COUNT = 10_000;

/** Any well-formed urn: edges may lead to entities outside the model. */
const urn = z
  .string()
  .superRefine((sent, context) => {
    const parsed = parseUrn(sent);
    if ('fault' in parsed) fail(context, { message: `Invalid urn ${sent}: ${parsed.fault}` });
  })
  .describe('The entity at which the edges start or end. Percent-encode it.');

const direction = oneOf(EDGE_DIRECTIONS, (sent) => ({
  message: `Parameter 'direction' is "${sent}"; allowed: ${EDGE_DIRECTIONS.join(', ')}${didYouMean(sent, EDGE_DIRECTIONS)}`,
})).describe(
  '`OUTGOING`: edges that start at the entity. `INCOMING`: edges that end there. `UNDIRECTED`: both.',
);

const types = z
  .array(z.string())
  .superRefine((names, context) => {
    if (names.length === 0) fail(context, { message: "Parameter 'types' is required" });
  })
  .describe('Names of relationships: `List(a,b)`, or `a,b`, or the parameter repeated.');

const GRAPH_HEADERS = {
  'X-Stratalog-Position': 'The position of the graph.',
  'X-Stratalog-Lag':
    'Number of changes in the store that the graph does not include; 0 when it is up to date.',
};
const NOT_READY = {
  503: 'The first graph is being built, or the graph did not reach the position in time. Repeat the call.',
};

export const READ_RELATIONSHIPS = defineRoute({
  path: 'relationships',
  app: 'graph',
  touches: (query) => touchEntities([query.urn]),
  parameters: z.object({
    urn,
    direction,
    types,
    start: integer({ minimum: 0 }).default(0).describe('Number of edges to skip.'),
    count: integer({ minimum: 0, maximum: MAX_COUNT }).default(100).describe('Most edges of the page.'),
  }),
  otherParameters: [WAIT_FOR, WAIT],
  docs: {
    group: 'Relationships',
    summary: 'Read the entities that are one edge away',
    description: `The pages of the aspects list their relationships. An edge starts at the entity whose aspect declares it: a dataset's \`ownership\`
declares an \`OwnedBy\` edge to each owner, so the owner's datasets are its \`INCOMING\` ends.
An entity without a write has no edges. Ends without a write, and ends whose \`status\` says \`removed\`, are included like all others.`,
    answer: {
      description:
        'One page, ordered by type and then by urn. An edge that several aspects declare appears once.',
      schema: z.object({
        start: COUNT.describe('The `start` of the request.'),
        count: COUNT.describe('Number of edges on this page.'),
        total: COUNT.describe('Number of edges on all pages.'),
        relationships: z.array(
          z.object({
            type: z.string().describe('Name of the relationship.'),
            entity: z.string().describe('Urn of the other end.'),
            created: AUDIT_STAMP.describe(
              'The stamp that the aspect gives the edge, else the time of observation and the actor of the value.',
            ),
          }),
        ),
        entities: z.array(z.string()).describe('The distinct urns of the page.'),
      }),
      headers: GRAPH_HEADERS,
    },
    rejections: NOT_READY,
    examples: [
      {
        title: 'Edges that start at a dataset',
        parameters: {
          urn: EXAMPLE_URN,
          direction: 'OUTGOING',
          types: 'List(OwnedBy,TaggedWith,DownstreamOf)',
        },
      },
      {
        title: 'Datasets downstream of it',
        parameters: { urn: EXAMPLE_URN, direction: 'INCOMING', types: 'DownstreamOf' },
      },
      {
        title: 'Assets of an owner',
        parameters: { urn: 'urn:li:corpuser:ada', direction: 'INCOMING', types: 'OwnedBy', count: '10' },
      },
    ],
  },
});

export const READ_RELATED = defineRoute({
  path: 'openapi/relationships/v1',
  app: 'graph',
  touches: (query) => touchEntities([query.urn]),
  parameters: z.object({
    urn,
    direction,
    relationshipTypes: z.array(z.string()).optional().describe('Names of relationships; all when absent.'),
    start: integer({ minimum: 0 }).default(0).describe('Number of edges to skip.'),
    count: integer({ minimum: 0, maximum: MAX_COUNT }).default(200).describe('Most edges of the page.'),
  }),
  otherParameters: [WAIT_FOR, WAIT],
  docs: {
    group: 'Relationships',
    summary: 'Read the entities that are one edge away, in the form of OpenAPI clients',
    answer: {
      description: 'One page, ordered by type and then by urn.',
      schema: z.object({
        start: COUNT.describe('The `start` of the request.'),
        count: COUNT.describe('Number of edges on this page.'),
        total: COUNT.describe('Number of edges on all pages.'),
        entities: z.array(
          z.object({
            urn: z.string().describe('Urn of the other end.'),
            relationshipType: z.string(),
            via: z.string().optional().describe('Urn of the entity that made the edge, such as a query.'),
          }),
        ),
      }),
      headers: GRAPH_HEADERS,
    },
    rejections: NOT_READY,
    examples: [
      {
        title: 'Everything that a dataset refers to',
        parameters: { urn: EXAMPLE_URN, direction: 'OUTGOING' },
      },
    ],
  },
});

export const COUNT_RELATIONSHIPS = defineRoute({
  path: 'relationships/counts',
  app: 'graph',
  touches: (query) => touchEntities([query.urn]),
  parameters: z.object({ urn }),
  otherParameters: [WAIT_FOR, WAIT],
  docs: {
    group: 'Relationships',
    summary: 'Count the entities that are one edge away',
    description: `Says which relationships an entity has, and with how many entities: what the other call has as \`total\` for one type and one direction. An
entity that an edge connects with itself counts in both directions.`,
    answer: {
      description: 'The counts, ordered by type and then by direction. Types without an edge are left out.',
      schema: z.object({
        urn: z.string(),
        counts: z.array(
          z.object({
            type: z.string().describe('Name of the relationship.'),
            direction: z.enum(['INCOMING', 'OUTGOING']),
            count: COUNT.describe('Number of entities at the other ends.'),
          }),
        ),
      }),
      headers: GRAPH_HEADERS,
    },
    rejections: NOT_READY,
    examples: [{ title: 'A dataset', parameters: { urn: EXAMPLE_URN } }],
  },
});

export const REMOVE_RELATIONSHIPS = defineRoute({
  method: 'DELETE',
  path: 'relationships',
  app: 'graph',
  effect: 'destroys',
  // Edges that end at the entity are those of others.
  touches: (query) => ({ ...touchEntities([query.urn]), changesUnnamed: true }),
  parameters: z.object({ urn }),
  docs: {
    group: 'Relationships',
    summary: 'Remove an entity’s edges from the graph',
    description: `When the call returns, the edges that start or end at the entity are gone. The store does not change: the graph gets the edges
again when one of the aspects changes its value, and at each rebuild. To remove the references from the
aspects, write the aspects.`,
    answer: { description: 'The edges are gone, also when there were none.' },
    rejections: { 503: 'The first graph is being built. Repeat the call.' },
    examples: [{ title: 'An entity without references', parameters: { urn: 'urn:li:tag:docs-nobody' } }],
  },
});
