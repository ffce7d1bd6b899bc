import { EXAMPLE_URN, defineRoute, integer } from '@stratalog/http';
import * as z from 'zod';

const MAX_START = 10_000_000;
/** Fewest versions of an aspect from which one can be purged. */
const FIRST_TO_CUT = 2;

export const APPLY_RETENTION = defineRoute({
  path: 'entities',
  action: 'applyRetention',
  effect: 'destroys',
  app: 'ingest',
  parameters: z.object({
    start: integer({ minimum: 0, maximum: MAX_START }).default(0).describe('Number of aspects to skip.'),
    count: integer({ minimum: 0, maximum: 10_000 }).default(100).describe('Number of aspects to inspect.'),
    attemptWithVersion: integer({ minimum: 0 })
      .default(FIRST_TO_CUT)
      .describe('Skips aspects whose latest version has a lower number.'),
    aspectName: z.string().optional().describe('Only aspects of this name.'),
    urn: z.string().optional().describe('Only aspects of this entity.'),
  }),
  docs: {
    group: 'Write',
    summary: 'Purge old values now',
    description: `Applies the retention policies to a page of all aspects, ordered by urn and name, or to the aspects of one entity. The catalog also does so by itself: for
an aspect at each write to it, and for all aspects on a schedule. The latest value of an aspect is never purged.`,
    answer: {
      description:
        'Arguments and result, as text for people: inspected aspects, truncated aspects, purged versions.',
      schema: z.string(),
    },
    examples: [{ title: 'One entity', body: { urn: EXAMPLE_URN } }],
  },
});
