import { COUNT, EXAMPLE_URN, INT64, WAIT, WAIT_FOR, defineRoute, touchEntities } from '@stratalog/http';
import * as z from 'zod';
import { LINEAGE_HEADERS } from '../lineage/lineage.routes';

export const READ_ASSERTION_RESULTS = defineRoute({
  path: 'assertions/results',
  app: 'query',
  touches: ({ ids }) => touchEntities(ids),
  parameters: z.object({
    ids: z
      .array(z.string())
      .describe(
        'Urns of the entities that the assertions are about, at most 100: `List(<urn>,<urn>)` with each urn encoded, or the parameter repeated.',
      ),
  }),
  otherParameters: [WAIT_FOR, WAIT],
  docs: {
    group: 'Read',
    summary: 'Read the last result of the assertions about several entities',
    description: `Which assertions are about an entity comes from the graph, their last run from the store. Soft-deleted assertions are included. All runs of an
assertion, with what they measured, are the values of its \`assertionRunEvent\`.`,
    answer: {
      description: 'The results.',
      schema: z.object({
        results: z
          .record(
            z.string(),
            z.object({
              total: COUNT.describe('Number of assertions about the entity.'),
              assertions: z
                .array(
                  z.object({
                    assertion: z.string().describe('Urn of the assertion.'),
                    lastRun: z
                      .object({
                        time: INT64.describe('Epoch milliseconds.'),
                        status: z.string().describe('`COMPLETE` once there is a result.'),
                        type: z.string().optional().describe('`SUCCESS`, `FAILURE`, `ERROR` or `INIT`.'),
                      })
                      .optional()
                      .describe('Absent when the assertion has not run.'),
                  }),
                )
                .describe('The first hundred, by urn.'),
            }),
          )
          .describe('By urn.'),
      }),
      headers: LINEAGE_HEADERS,
    },
    rejections: {
      400: 'A urn is wrong, or there are too many.',
      503: 'The first graph is being built, or the graph did not reach the position in time. Repeat the call.',
    },
    examples: [{ title: 'Of one dataset', parameters: { ids: EXAMPLE_URN } }],
  },
});
