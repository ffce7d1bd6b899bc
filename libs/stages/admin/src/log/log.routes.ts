import { COUNT, defineRoute, flag } from '@stratalog/http';
import * as z from 'zod';

const PARTITION = COUNT.describe('Number of the partition.');
const COMMITTED = COUNT.describe('The store has applied the log up to here.');

const ROUTE = { path: 'operations', app: 'admin', access: 'administrative' } as const;

export const DESCRIBE_LOG = defineRoute({
  ...ROUTE,
  action: 'describeLog',
  parameters: z.object({}),
  writes: false,
  docs: {
    group: 'Operations',
    summary: 'Report the state of the proposal log',
    description:
      'Compares what the store has applied with what the topic of proposals holds. A partition is stopped while the topic is not the log that the store knows, and until an operator has decided.',
    answer: {
      description: 'Every partition of the log. `partitions` is empty where the log is in the store.',
      schema: z.object({
        partitions: z.array(
          z.object({
            partition: PARTITION,
            state: z.enum(['applied', 'moved', 'stopped']),
            committedOffset: COMMITTED,
            endOffset: COUNT.describe('The present end of the log.'),
            reason: z.string().optional().describe('Why it is not applied.'),
            sinceMillis: z.int().optional().describe('Since when it is stopped, in epoch milliseconds.'),
          }),
        ),
      }),
    },
    examples: [{ title: 'The log', body: {} }],
  },
});

export const ADOPT_LOG = defineRoute({
  ...ROUTE,
  action: 'adoptLog',
  effect: 'destroys',
  parameters: z.object({
    dryRun: flag()
      .default(true)
      .describe('True: only reports what would be lost, and where the log would continue.'),
  }),
  docs: {
    group: 'Operations',
    summary: 'Continue in a log that moved',
    description: `For a log that is gone for good: its topic was deleted and made again, or lost its last records. Each partition that is stopped continues in the present topic:
in one that was made again with its first record, in one that lost records after those that are left. What the former log held beyond the committed offset is lost: nothing will apply it.`,
    answer: {
      description: 'What is lost, partition by partition.',
      schema: z.object({
        topic: z.string(),
        isDryRun: z.boolean(),
        lost: COUNT.describe('Number of lost proposals, as far as any process has seen them.'),
        partitions: z.array(
          z.object({
            partition: PARTITION,
            reason: z.string().describe('Why it was stopped.'),
            committedOffset: COMMITTED,
            lost: COUNT.describe('Number of its lost proposals.'),
            continuesAfter: COUNT.describe('Offset of the present topic after which it is applied.'),
          }),
        ),
      }),
    },
    examples: [
      { title: 'Report what would be lost', body: {} },
      { title: 'Continue', body: { dryRun: false } },
    ],
  },
});

export const RESUME_LOG = defineRoute({
  ...ROUTE,
  action: 'resumeLog',
  parameters: z.object({}),
  docs: {
    group: 'Operations',
    summary: 'Continue in a log that was put back',
    description:
      'Checks that the topic is again the log that the store knows, and applies it from the committed offset on. Rejected with the reason while it is not.',
    answer: {
      description: 'The partitions that continue.',
      schema: z.object({ partitions: z.array(COUNT) }),
    },
    examples: [{ title: 'Continue', body: {} }],
  },
});
