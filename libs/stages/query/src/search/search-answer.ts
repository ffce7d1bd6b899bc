import { COUNT } from '@stratalog/http';
import * as z from 'zod';

const NAMED_VALUE = z.object({
  name: z.string(),
  value: z.string(),
  fragment: z
    .object({
      text: z.string(),
      marks: z.array(z.array(z.int())).describe('Begin and end of each word, in UTF-16 units.'),
      isCut: z.boolean().describe('True: the value goes on.'),
    })
    .optional()
    .describe('With `searchFlags.fragments`: a part of the value, and where the matched words are in it.'),
});
const MATCHED_FIELDS = z.array(NAMED_VALUE).describe('Fields whose values matched the words.');
const COUNTS = z.record(z.string(), COUNT).describe('Number of matches with each value.');

const FACET = z.object({
  name: z.string(),
  displayName: z.string().optional(),
  aggregations: COUNTS,
  filterValues: z
    .array(
      z.object({
        value: z.string(),
        entity: z.string().optional().describe('The value again when it is a urn.'),
        displayName: z.string().optional().describe('Name of the entity that the urn identifies.'),
        facetCount: COUNT,
        filtered: z.boolean().optional().describe('True for a value that the filter selects.'),
      }),
    )
    .optional(),
});

const NAMED = z.object({ urn: z.string(), name: z.string() });
/** Describes a list of a card. */
export const NAMED_LIST = z
  .object({ total: COUNT, entities: z.array(NAMED).describe('The first five.') })
  .optional();

const CARD = z.object({
  name: z.string().describe('As people know the entity; without one, the name in the urn.'),
  subtype: z.string().optional().describe('The first of its sub-types.'),
  platform: NAMED.optional(),
  description: z.string().optional().describe('At most 300 characters; `…` at the end of a longer one.'),
  owners: NAMED_LIST,
  tags: NAMED_LIST,
  domains: NAMED_LIST,
});

const METADATA = z.object({
  urns: z.array(z.string()),
  matches: z.array(z.object({ matchedFields: MATCHED_FIELDS })),
  cards: z
    .array(CARD)
    .optional()
    .describe('With `searchFlags.cards`: what people recognize each entity by, in the order of `urns`.'),
  searchResultMetadatas: z
    .array(z.object({ name: z.string(), aggregations: COUNTS }))
    .describe('Facets in their older form.'),
  aggregations: z.array(FACET).describe('Facets in their newer form.'),
  suggestions: z
    .array(z.object({ text: z.string(), score: z.number(), frequency: COUNT }))
    .describe('Other spellings of a query that matches nothing, each with the number of its matches.'),
  fallback: z
    .enum(['similarWords', 'someWords'])
    .optional()
    .describe(
      'Present when no entity has all words of the query: the answer then has entities with similar words, or with some of them.',
    ),
});

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
export const MATCH_OBJECT = z.object({
  entity: z.string().describe('Urn.'),
  matchedFields: MATCHED_FIELDS,
  score: z.number(),
});

/** Members of the answers of all searches. */
export const MATCHES = {
  numEntities: COUNT.describe('Exact number of all matches.'),
  pageSize: COUNT.describe('The `count` of the request.'),
  entities: z
    .array(z.union([z.string(), MATCH_OBJECT]))
    .describe('Urns, or objects: see the header `X-RestLi-Protocol-Version`.'),
  metadata: METADATA,
};

/** The answer of a search that is read by `start` and `count`. */
export const PAGE_ANSWER = describePage(MATCHES);
/** The answer of a search that is read by `scrollId`. */
export const SCROLL_ANSWER = describeScroll(MATCHES);
export const SCROLL_REJECTIONS = {
  ...REJECTIONS,
  400: 'A parameter is missing or wrong, or the scroll id is unknown, expired or of another query.',
};

/** Describes a page of matches with these members. */
export function describePage<Members extends z.ZodRawShape>(members: Members) {
  return {
    description: 'One page of matches, ordered by score unless the request has an order.',
    schema: z.object({ ...members, from: COUNT.describe('The `start` of the request.') }),
    headers: INDEX_HEADERS,
  } as const;
}

/** Describes a page of a scroll with these members. */
export function describeScroll<Members extends z.ZodRawShape>(members: Members) {
  return {
    description: 'One page of matches. Only the first page has facets.',
    schema: z.object({
      ...members,
      scrollId: z.string().optional().describe('Id for the next page; absent on the last.'),
    }),
    headers: INDEX_HEADERS,
  } as const;
}
