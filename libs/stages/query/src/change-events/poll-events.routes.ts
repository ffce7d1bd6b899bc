import { COUNT, defineRoute, integer, oneOf, text, touchNothing } from '@stratalog/http';
import { didYouMean } from '@stratalog/domain';
import * as z from 'zod';
import { TOPICS } from './to-events';

/** Longest wait: load balancers end silent requests after a minute. */
const MAX_WAIT_SECONDS = 30;
const MAX_CHANGES = 1_000;
/** Holds the numbers of some thousand partitions. */
const MAX_OFFSET_BYTES = 16 * 1024;
const MAX_DAYS = 3_650;

export const POLL_EVENTS = defineRoute({
  path: 'openapi/v1/events/poll',
  app: 'query',
  // The answer leaves out what the caller may not read.
  touches: touchNothing,
  parameters: z.object({
    topic: oneOf(TOPICS, (sent) => ({
      message: `Parameter 'topic' is "${sent.slice(0, 100)}"; allowed: ${TOPICS.join(', ')}${didYouMean(sent, TOPICS)}`,
    })).describe('The stream: what changes mean, or the changes themselves.'),
    offsetId: text(MAX_OFFSET_BYTES)
      .optional()
      .describe('`offsetId` of the answer before. Absent: what comes from now on.'),
    limit: integer({ minimum: 1, maximum: MAX_CHANGES })
      .default(100)
      .describe('About the number of changes that the answer covers; each may have several events.'),
    pollTimeoutSeconds: integer({ minimum: 0, maximum: MAX_WAIT_SECONDS })
      .default(10)
      .describe('Longest wait for an event.'),
    lookbackWindowDays: integer({ minimum: 0, maximum: MAX_DAYS })
      .optional()
      .describe('Without an `offsetId`: begin so many days before now.'),
  }),
  docs: {
    group: 'Read',
    summary: 'Follow what happens, by polls',
    description: `The source \`datahub-cloud\` of \`acryl-datahub-actions\` follows the catalog so, without Kafka. A caller that goes on with the \`offsetId\` of each answer sees each
change of its stream at least once, those of one entity in their order. Events of entities outside the limits of the caller’s token are left out.`,
    answer: {
      description: 'The next events.',
      schema: z.object({
        offsetId: z.string().describe('Where the next poll begins.'),
        count: COUNT.describe('Number of events.'),
        events: z.array(
          z.object({
            contentType: z.enum(['application/json']),
            value: z
              .string()
              .describe('JSON: a platform event with an `EntityChangeEvent`, or a `MetadataChangeLog`.'),
          }),
        ),
      }),
    },
    rejections: { 400: 'The `offsetId` is of another store, or ahead of this one.' },
    examples: [
      {
        title: 'What happened in the last day',
        parameters: { topic: 'PlatformEvent_v1', lookbackWindowDays: '1', pollTimeoutSeconds: '0' },
      },
      {
        title: 'Changes with their values',
        parameters: { topic: 'MetadataChangeLog_Versioned_v1', lookbackWindowDays: '1', limit: '5' },
      },
    ],
  },
});
