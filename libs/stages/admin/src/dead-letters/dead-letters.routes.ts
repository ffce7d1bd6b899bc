import { COUNT, defineRoute, flag, integer, text } from '@stratalog/http';
import * as z from 'zod';

const MILLIS = z.int().describe('Epoch milliseconds.');

const PROPOSAL = z.object({
  entityType: z.string(),
  urn: z.string(),
  aspectName: z.string(),
  changeType: z.string(),
  value: z.string().optional().describe('The first 1,000 characters of the value.'),
});

const DEAD_LETTER = z.object({
  topic: z.string().optional().describe("The topic; absent for the catalog's own log."),
  partition: COUNT,
  offset: COUNT,
  rejectedMillis: MILLIS,
  reason: z.string().describe('Why the writer rejected it.'),
  waits: z.boolean().describe('True: the first start with a model that knows its aspect applies it.'),
  replayedMillis: MILLIS.optional().describe('When it went into the log again.'),
  bytes: COUNT.describe('Its length.'),
  proposalCount: COUNT.optional().describe('Number of its proposals.'),
  proposals: z.array(PROPOSAL).optional().describe('The first 10 of them.'),
  beginning: z
    .string()
    .optional()
    .describe(
      'Its first bytes in base64, when it is larger than 16,384 bytes or could not be decoded; then `proposals` is absent.',
    ),
});

export const LIST_DEAD_LETTERS = defineRoute({
  app: 'admin',
  access: 'administrative',
  path: 'operations/deadLetters',
  parameters: z.object({
    topic: text(1_024).optional().describe('Only records of this topic.'),
    waiting: flag().optional().describe('True: only those that wait for a model; false: only the others.'),
    start: integer({ minimum: 0, maximum: 100_000 }).default(0).describe('Number of dead letters to skip.'),
    count: integer({ minimum: 0, maximum: 200 }).default(20).describe('Number of dead letters to list.'),
  }),
  docs: {
    group: 'Operations',
    summary: 'List rejected proposals that were in the log',
    description:
      'Lists the newest first. The writer keeps a proposal that it must reject after it was logged, or a record that it cannot decode, with the reason.',
    answer: {
      description: 'One page of dead letters.',
      schema: z.object({
        start: COUNT,
        count: COUNT.describe('Number of dead letters on this page.'),
        total: COUNT.describe('Number of dead letters on all pages.'),
        deadLetters: z.array(DEAD_LETTER),
      }),
    },
    examples: [{ title: 'The last ones', parameters: { count: '10' } }],
  },
});
