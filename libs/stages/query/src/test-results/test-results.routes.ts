import { COUNT, WAIT, WAIT_FOR, defineRoute, integer, oneOf, text, urnInPath } from '@stratalog/http';
import * as z from 'zod';
import { STORED_OUTCOMES } from './list-test-results';

const MAX_COUNT = 1_000;
const MAX_URN_BYTES = 2_048;
const FORMATS = ['json', 'csv'] as const;
const TEXT = z.string();

const among = <Word extends string>(name: string, words: readonly [Word, ...Word[]]) =>
  oneOf(words, (sent) => ({
    message: `Parameter '${name}' is ${JSON.stringify(sent)}, but must be one of ${words.join(', ')}`,
  }));

export const LIST_TEST_RESULTS = defineRoute({
  path: 'tests/:urn/results',
  app: 'query',
  parameters: z.object({
    urn: urnInPath.describe('Urn of the test.'),
    outcome: among('outcome', STORED_OUTCOMES).optional().describe('Only entities with this outcome.'),
    entityType: text(200).optional().describe('Only entities of this type.'),
    after: text(MAX_URN_BYTES).optional().describe('`next` of the page before.'),
    count: integer({ minimum: 0, maximum: MAX_COUNT }).default(100).describe('Most entities of the page.'),
    format: among('format', FORMATS)
      .default('json')
      .describe(
        '`csv`: the page as CSV, with the columns `urn`, `entityType`, `outcome`, `computed` and `reason`.',
      ),
  }),
  otherParameters: [WAIT_FOR, WAIT],
  docs: {
    group: 'Metadata tests',
    summary: 'List how entities do at a test',
    description: `Lists results that were written to entities, by urn, as the search index has them. The outcome \`error\` has the reason why the test cannot be evaluated. As CSV the
header \`X-Stratalog-Next\` has the \`after\` of the next page. A urn that ends with \`/results\` needs its slash encoded.`,
    answer: {
      description: 'A page of entities, and the numbers of all.',
      contentTypes: ['application/json', 'text/csv'],
      schema: z.object({
        test: TEXT,
        counts: z
          .object({ passing: COUNT, failing: COUNT, error: COUNT })
          .describe('Numbers of entities of the selected types by outcome.'),
        results: z.array(
          z.object({
            urn: TEXT,
            entityType: TEXT,
            outcome: z.enum(STORED_OUTCOMES),
            computedMillis: COUNT.optional().describe('When it became so, in epoch milliseconds.'),
            reason: TEXT.optional().describe('With `error`: why the test cannot be evaluated.'),
          }),
        ),
        next: TEXT.optional().describe('The `after` of the next page; absent on the last.'),
      }),
      headers: { 'X-Stratalog-Next': 'As CSV: the `after` of the next page; absent on the last.' },
    },
    rejections: { 404: 'The test does not exist.' },
    examples: [
      { title: 'What fails', parameters: { urn: 'urn:li:test:docs-example', outcome: 'failing' } },
      { title: 'As CSV', parameters: { urn: 'urn:li:test:docs-example', format: 'csv', count: '1000' } },
    ],
  },
});
