import {
  COUNT,
  EXAMPLE_URN,
  INT64,
  SYSTEM_METADATA,
  defineRoute,
  fail,
  integer,
  long,
  text,
  touchEntities,
  touchNothing,
  urnInPath,
} from '@stratalog/http';
import * as z from 'zod';
import { requireTimeZone } from '../statistics/require-time-zone';

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

const startTime = long({ minimum: 0 })
  .optional()
  .describe('Epoch milliseconds: only changes at or after this time.');
const endTime = long({ minimum: 0 })
  .optional()
  .describe('Epoch milliseconds: only changes at or before this time.');

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
    startTime,
    endTime,
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

export const COUNT_CHANGES = defineRoute({
  path: 'entitiesV2/:urn/changesByDay',
  app: 'query',
  touches: (query) => touchEntities([query.urn]),
  parameters: z.object({
    urn: urnInPath,
    aspects: z
      .array(z.string())
      .optional()
      .describe(
        'Only these aspects: `List(a,b)`, or `a,b`, or the parameter repeated. Default: all aspects.',
      ),
    startTime: startTime.describe(
      'Epoch milliseconds: only changes at or after this time. Default: 90 days before `endTime`.',
    ),
    endTime: endTime.describe('Epoch milliseconds: only changes at or before this time. Default: now.'),
    timeZone: z
      .string()
      .default('UTC')
      .transform((name, context) => requireTimeZone(name, (_path, reason) => fail(context, { reason })))
      .describe('Name of the time zone in which days begin, such as `Europe/Berlin`.'),
  }),
  docs: {
    group: 'Read',
    summary: 'Count the changes of an entity by day',
    description: `Counts what the timeline of the entity lists. Days without a change are left out. A urn that ends with \`/changesByDay\` needs its slash
encoded.`,
    answer: {
      description: 'The days with changes, the earliest first.',
      schema: z.object({
        urn: z.string(),
        entityName: z.string().describe('Name of the entity type.'),
        startTime: INT64.describe('Epoch milliseconds.'),
        endTime: INT64.describe('Epoch milliseconds.'),
        total: COUNT.describe('Number of all these changes.'),
        days: z.array(
          z.object({
            startTime: INT64.describe('Begin of the day, in epoch milliseconds.'),
            changes: COUNT.describe('Number of changes on that day.'),
          }),
        ),
      }),
    },
    rejections: {
      400: 'The urn is malformed, the time zone unknown, the time empty, or it has more than 100,000 changes.',
    },
    examples: [
      { title: 'The last 90 days', parameters: { urn: EXAMPLE_URN } },
      {
        title: 'One aspect, by days of a time zone',
        parameters: { urn: EXAMPLE_URN, aspects: 'datasetProperties', timeZone: 'Europe/Berlin' },
      },
    ],
  },
});
