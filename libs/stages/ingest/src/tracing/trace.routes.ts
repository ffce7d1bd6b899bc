import { defineRoute, flag } from '@stratalog/http';
import * as z from 'zod';

/** What became of a write in one place. */
export const WRITE_STATUSES = [
  'PENDING',
  'ACTIVE_STATE',
  'HISTORIC_STATE',
  'NO_OP',
  'ERROR',
  'UNKNOWN',
] as const;

const STATUS = z
  .enum(WRITE_STATUSES)
  .describe(
    '`PENDING`: not there yet. `ACTIVE_STATE`: there. `HISTORIC_STATE`: there, and replaced since. `NO_OP`: the value was there already. `ERROR`: rejected.',
  );
const STORAGE = z.object({ writeStatus: STATUS, writeMessage: z.string().optional() });

export const TRACE_WRITE = defineRoute({
  path: 'openapi/v1/trace/write/:traceId',
  method: 'POST',
  app: 'ingest',
  writes: false,
  // The urns are in the body, which the handler reads.
  touches: 'proposals',
  parameters: z.object({
    traceId: z.string().describe('The 32 digits from the `traceparent` of the write, or all of it.'),
    onlyIncludeErrors: flag().default(false).describe('True leaves out all but rejected writes.'),
    detailed: flag().optional().describe('Accepted without effect.'),
  }),
  body: z.record(
    z.string().describe('Urn of an entity.'),
    z.array(z.string()).describe('Names of its aspects.'),
  ),
  docs: {
    group: 'Write',
    summary: 'Ask what became of a write',
    description: `Answers for each urn and aspect that the body names, at most 1,000. Waits up to a second for what is pending. The emitter of the Python client
asks so in its mode \`ASYNC_WAIT\`. The trace of a write is a property of its system metadata, so it is known as long as the version or the dead letter is kept.`,
    answer: {
      description: 'The states by urn and aspect.',
      schema: z.record(
        z.string(),
        z.record(
          z.string(),
          z.object({
            success: z.boolean().describe('False for a rejected or unknown write.'),
            primaryStorage: STORAGE.extend({
              writeExceptions: z.array(z.object({ message: z.string() })).optional(),
            }),
            searchStorage: STORAGE,
            graphStorage: STORAGE,
          }),
        ),
      ),
    },
    examples: [
      {
        title: 'A write that no one made',
        parameters: { traceId: '000620a1b2c3d4e50123456789abcdef' },
        body: { 'urn:li:tag:docs-example': ['tagProperties'] },
      },
    ],
  },
});
