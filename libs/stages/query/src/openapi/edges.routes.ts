import { WAIT, WAIT_FOR, defineRoute, fail, integer, listUpTo, oneOf, touchTypes } from '@stratalog/http';
import { didYouMean, parseUrn } from '@stratalog/domain';
import * as z from 'zod';
import { listFilter } from '../filters/read-criteria';
import { SCROLL_REJECTIONS } from '../search/search-answer';
import { rejectHalfSlice, slicing } from './openapi-scroll';

/** Largest page, in edges: the status of both ends is read. */
const MAX_COUNT = 1_000;
/** Most urns of ends. */
const MAX_ENDS = 1_000;

const ROUTE = {
  app: 'query',
  method: 'POST',
  writes: false,
  otherParameters: [WAIT_FOR, WAIT],
  touches: () => touchTypes(),
} as const;
/** Any well-formed urn: edges may lead to entities outside the model. */
const urn = z.string().superRefine((sent, context) => {
  const parsed = parseUrn(sent);
  if ('fault' in parsed) fail(context, { reason: `"${sent.slice(0, 100)}" is no urn: ${parsed.fault}` });
});
const types = z.array(z.string()).optional();

function direction<Word extends string>(words: readonly [Word, ...Word[]]) {
  return oneOf(words, (sent) => ({
    message: `Parameter 'direction' is "${sent}"; allowed: ${words.join(', ')}${didYouMean(sent, words)}`,
  }));
}

const scrolled = {
  relationshipTypes: types.describe('Only edges with these names; all when absent.'),
  count: integer({ minimum: 1, maximum: MAX_COUNT }).default(10).describe('Size of the page.'),
  ...slicing,
};

const END = z.object({ entityType: z.string(), urn: z.string() });
const EDGE = { relationshipType: z.string(), source: END, destination: END };
const SCROLL_ID = z.string().optional().describe('Id for the next page; absent on the last.');
const HEADERS = {
  'X-Stratalog-Position': 'The position of the graph.',
  'X-Stratalog-Lag':
    'Number of changes in the store that the graph does not include; 0 when it is up to date.',
};

export const SCROLL_EDGES = defineRoute({
  ...ROUTE,
  path: 'openapi/v3/relationship/scroll',
  inBody: ['sourceFilter', 'destinationFilter', 'edgeFilter'],
  parameters: z
    .object({
      ...scrolled,
      direction: direction(['OUTGOING', 'INCOMING'])
        .default('OUTGOING')
        .describe('`INCOMING`: the filters and types of sources and destinations change places.'),
      sourceTypes: types.describe('Entity types at which edges start.'),
      destinationTypes: types.describe('Entity types at which edges end.'),
      sourceFilter: listFilter('sourceFilter').optional().describe('Only edges that start at these urns.'),
      destinationFilter: listFilter('destinationFilter')
        .optional()
        .describe('Only edges that end at these urns.'),
      edgeFilter: z
        .object({ and: listUpTo(0, z.object({})).optional() })
        .optional()
        .describe('Must be empty: no field of an edge can be compared.'),
    })
    .superRefine(rejectHalfSlice),
  docs: {
    group: 'Relationships',
    summary: 'Read all edges page by page, in the form of OpenAPI clients',
    description: `It is \`scroll_relationships\` of the Python client. A filter is \`{and: [{criteria: [{field: 'urn', values: [...]}]}]}\`, with alternatives in
the outer list. Edges with a soft-deleted end are left out unless \`includeSoftDelete\` is true, so that pages may be short.`,
    answer: {
      description: 'One page of edges, in an order that stays.',
      schema: z.object({ scrollId: SCROLL_ID, results: z.array(z.object(EDGE)) }),
      headers: HEADERS,
    },
    rejections: SCROLL_REJECTIONS,
    examples: [
      {
        title: 'Owners of datasets',
        parameters: { relationshipTypes: 'OwnedBy', sourceTypes: 'dataset', count: '100' },
        body: {},
      },
    ],
  },
});

export const SCROLL_LINEAGE = defineRoute({
  ...ROUTE,
  path: 'openapi/v3/lineage/scroll',
  inBody: ['urns'],
  parameters: z
    .object({
      ...scrolled,
      direction: direction(['UPSTREAM', 'DOWNSTREAM'])
        .optional()
        .describe('With `urns`: only edges that lead from them in this direction. Pages may then be short.'),
      urns: listUpTo(MAX_ENDS, urn)
        .optional()
        .describe('Only edges with one of these urns at either end; all lineage when absent.'),
    })
    .superRefine(rejectHalfSlice),
  docs: {
    group: 'Relationships',
    summary: 'Read the edges of lineage page by page, in the form of OpenAPI clients',
    description: 'It is `scroll_lineage` of the Python client. Edges between columns are edges like others.',
    answer: {
      description: 'One page of edges, in an order that stays.',
      schema: z.object({
        scrollId: SCROLL_ID,
        results: z.array(
          z.object({
            ...EDGE,
            upstream: z.string().describe('Urn of the end upstream.'),
            downstream: z.string().describe('Urn of the other end.'),
          }),
        ),
      }),
      headers: HEADERS,
    },
    rejections: SCROLL_REJECTIONS,
    examples: [{ title: 'All lineage', parameters: { count: '100' }, body: {} }],
  },
});
