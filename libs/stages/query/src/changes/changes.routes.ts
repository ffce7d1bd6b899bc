import { INT64, SYSTEM_METADATA, defineRoute, integer, long, text, touchNothing } from '@stratalog/http';
import * as z from 'zod';

const CHANGE = z.object({
  time: INT64.describe('Epoch milliseconds.'),
  actor: z.string().describe('Urn of the actor.'),
  urn: z.string().describe('The changed entity.'),
  entityName: z.string().describe('Name of its entity type.'),
  aspectName: z.string(),
  version: z.int().describe('Version number that the change created.'),
  kind: z.enum(['CREATED', 'CHANGED', 'DELETED']),
  systemMetadata: SYSTEM_METADATA,
});

export const LIST_CHANGES = defineRoute({
  path: 'changes',
  app: 'query',
  // The answer leaves out what the caller may not read.
  touches: touchNothing,
  parameters: z.object({
    types: z
      .array(z.string())
      .optional()
      .describe(
        'Only entities of these types: `List(a,b)`, or `a,b`, or the parameter repeated. Default: all types.',
      ),
    actor: text(2_048).optional().describe('Urn of an actor: only changes by this one.'),
    startTime: long({ minimum: 0 })
      .optional()
      .describe('Epoch milliseconds: only changes at or after this time.'),
    endTime: long({ minimum: 0 })
      .optional()
      .describe('Epoch milliseconds: only changes at or before this time.'),
    count: integer({ minimum: 1, maximum: 100 }).default(20).describe('Most changes of a page.'),
    cursor: text(100).optional().describe('`next` of the page before.'),
  }),
  docs: {
    group: 'Read',
    summary: 'Read the changes of the whole catalog',
    description: `Lists the changes of all entities, the newest first, without values; the timeline of an entity has its differences. Timeseries values are no
changes, but their deletion is one. The answer is current right after a write. It leaves out entities outside the limits of the caller’s token.
A page reads a bounded part of the log, so it may have fewer changes than \`count\`, or none; go on as long as there is a \`next\`.`,
    answer: {
      description: 'A page of changes.',
      schema: z.object({
        changes: z.array(CHANGE),
        next: z.string().optional().describe('The `cursor` of the next page; absent on the last.'),
      }),
    },
    examples: [
      { title: 'The newest', parameters: { count: '5' } },
      { title: 'By type and actor', parameters: { types: 'dataset', actor: 'urn:li:corpuser:ada' } },
    ],
  },
});
