import { JSON_VALUE, WAIT, WAIT_FOR, content, defineRoute, text } from '@stratalog/http';
import * as z from 'zod';
import { MAX_TEXT } from './text/bound-text';

/** Longest name of an operation. **Units**: bytes. */
const MAX_NAME = 1_000;

export const GRAPHQL = defineRoute({
  path: 'api/graphql',
  method: 'POST',
  app: 'query',
  writes: false,
  inBody: ['query', 'variables', 'operationName'],
  otherParameters: [WAIT_FOR, WAIT],
  parameters: z.object({
    query: text(MAX_TEXT).describe('The GraphQL text.'),
    variables: content(z.looseObject({})).optional().describe('Values of its variables.'),
    operationName: text(MAX_NAME).optional().describe('The operation to run, where the text has several.'),
  }),
  docs: {
    group: 'Search',
    summary: 'Answer a GraphQL text',
    description: `For clients of the original that search, follow lineage, read entities and make small changes by GraphQL. The text may ask for the schema by introspection. A wrong
text is answered with \`errors\` and 200; its first word tells the kind: \`InvalidSyntax\` or \`ValidationError\`. A filter on a field that no searched type has matches
nothing, and is named in \`X-Stratalog-Warnings\`. A mutation is written as proposals of the caller, who needs the scope \`write\`.

A text is bounded in size, and \`STRATALOG_GRAPHQL_MAX_READS\` bounds what it may read.`,
    answer: {
      description: 'The answer, or why there is none.',
      schema: z.object({
        data: z
          .union([z.looseObject({}), z.null()])
          .optional()
          .describe('What the text asks for.'),
        errors: z
          .array(
            z.object({
              message: z.string(),
              path: z.array(JSON_VALUE).optional().describe('The field that has no value.'),
              locations: z.array(z.object({ line: z.number(), column: z.number() })).optional(),
            }),
          )
          .optional()
          .describe('What is wrong, up to 20 faults.'),
      }),
    },
    rejections: {
      400: 'The body is no object with a text in `query`.',
      503: 'The store or an index does not answer, or the first index is being built. Repeat the call.',
    },
    examples: [
      {
        title: 'The first datasets',
        body: {
          query:
            'query find($input: SearchAcrossEntitiesInput!) { searchAcrossEntities(input: $input) { total searchResults { entity { urn type ... on Dataset { name } } } } }',
          variables: { input: { types: ['DATASET'], query: '*', count: 5 } },
        },
      },
      {
        title: 'The schema',
        body: { query: 'query schema { __schema { queryType { fields { name description } } } }' },
      },
    ],
  },
});
