import { MAX_QUERY_TEXT_BYTES, defineRoute, integer, text, touchTypes } from '@stratalog/http';
import * as z from 'zod';
import { filter } from '../filters/read-criteria';
import { INDEX_HEADERS, REJECTIONS } from '../search/search-answer';
import { listingFlags } from '../search/search-flags';
import { INDEX_ROUTE, entityTypeName, entityTypeNames } from '../search/search-parameters';

/** Most suggestions of one call. */
const MAX_SUGGESTIONS = 1_000;

export const AUTOCOMPLETE = defineRoute({
  ...INDEX_ROUTE,
  action: 'autocomplete',
  touches: ({ entity, entities = [] }) => touchTypes(entity === undefined ? entities : [entity, ...entities]),
  parameters: z.object({
    query: text(MAX_QUERY_TEXT_BYTES).describe('The text that a person has typed so far.'),
    entity: entityTypeName.optional().describe('Name of the entity type, in any case.'),
    entities: entityTypeNames.describe(
      'Names of further entity types; all types when `entity` and `entities` are absent.',
    ),
    limit: integer({ minimum: 0, maximum: MAX_SUGGESTIONS }).describe('Most suggestions.'),
    start: integer({ minimum: 0, maximum: MAX_SUGGESTIONS })
      .default(0)
      .describe('Number of suggestions to skip.'),
    field: z
      .string()
      .optional()
      .describe('The only field to complete. Absent: all fields that the model marks.'),
    filter: filter.optional(),
    searchFlags: listingFlags,
  }),
  docs: {
    group: 'Search',
    summary: 'Complete a partial text to names of entities',
    description: `Suggests values that equal the text, then those that begin with it, then those that have its words in any order; the last word may be
incomplete unless a blank follows it. Case and accents do not matter. The text has no operators.`,
    answer: {
      description: 'The suggestions, the best first.',
      schema: z.object({
        query: z.string().describe('The text of the request.'),
        suggestions: z.array(z.string()).describe('Values as they are stored.'),
        entities: z
          .array(z.object({ urn: z.string() }))
          .describe('The entity of each suggestion, at the same place.'),
      }),
      headers: INDEX_HEADERS,
    },
    rejections: REJECTIONS,
    examples: [
      { title: 'Datasets', body: { query: 'docs.ex', entity: 'dataset', limit: 5 } },
      { title: 'All types', body: { query: 'ex', limit: 5 } },
    ],
  },
});
