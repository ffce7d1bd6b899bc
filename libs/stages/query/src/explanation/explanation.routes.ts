import {
  COUNT,
  JSON_OBJECT,
  JSON_VALUE,
  EXAMPLE_URN,
  WAIT,
  WAIT_FOR,
  defineRoute,
  fail,
  text,
} from '@stratalog/http';
import { parseUrn } from '@stratalog/domain';
import * as z from 'zod';
import { entityTypeName } from '../search/search-parameters';

/** Longest explained query: it stands in an address. */
export const MAX_EXPLAINED_BYTES = 1_000;

const REASONS = z.array(z.string());
const NUMBER = z.number();

export const EXPLAIN_SEARCH = defineRoute({
  path: 'operations/search/explain',
  app: 'query',
  writes: false,
  otherParameters: [WAIT_FOR, WAIT],
  parameters: z.object({
    urn: z
      .string()
      .superRefine((sent, context) => {
        const parsed = parseUrn(sent);
        if ('fault' in parsed) fail(context, { message: `Invalid urn ${sent}: ${parsed.fault}` });
      })
      .describe('The entity whose place is explained.'),
    query: text(MAX_EXPLAINED_BYTES).describe('The search query.'),
    entity: entityTypeName.optional().describe('The searched entity type; that of the entity unless given.'),
  }),
  docs: {
    group: 'Operations',
    summary: 'Explain why a search finds an entity, and where',
    description: `Says in sentences which parts of the query the entity meets or lacks, what its score consists of, and what the entity above it has. Looks among the
first 1,000 matches. \`document\` is what the stored aspects give, \`indexed\` what the index holds.`,
    answer: {
      description: 'The explanation.',
      schema: z.object({
        urn: z.string(),
        query: z.string(),
        found: z.boolean(),
        rank: COUNT.optional().describe('From 1; absent when the search does not find the entity.'),
        score: NUMBER.optional(),
        total: COUNT.describe('Number of all matches.'),
        reasons: REASONS.describe('Sentences for people.'),
        terms: z
          .array(z.object({ reason: z.string(), boost: NUMBER, possible: NUMBER }))
          .describe('The parts of the score.'),
        above: z
          .object({ urn: z.string(), score: NUMBER, weight: NUMBER, reasons: REASONS })
          .optional()
          .describe('The entity one rank higher, and what it has more.'),
        document: JSON_OBJECT.describe('The search document of the stored entity, with its words by field.'),
        indexed: JSON_VALUE.describe('The values that the index holds; null when it holds none.'),
      }),
      headers: {
        'X-Stratalog-Position': 'The position of the index.',
        'X-Stratalog-Lag':
          'Number of changes in the store that the index does not include; 0 when it is up to date.',
      },
    },
    rejections: {
      400: 'A parameter is missing or wrong.',
      404: 'There is no such entity.',
      503: 'The first index is being built, or it did not reach the position in time. Repeat the call.',
    },
    examples: [{ title: 'One dataset', parameters: { urn: EXAMPLE_URN, query: 'orders' } }],
  },
});
