import {
  COUNT,
  INT64,
  EXAMPLE_URN,
  WAIT,
  WAIT_FOR,
  defineRoute,
  flag,
  integer,
  time,
  urnInPath,
} from '@stratalog/http';
import * as z from 'zod';
import { lineageDirection, maxHops } from './lineage-parameters';
import { ABOUT_PAST, LINEAGE_HEADERS, LINEAGE_REJECTIONS } from './lineage.routes';

const TIME = INT64.describe('Epoch milliseconds.');
const TEXT = z.string();
const CHANGE = z.enum(['added', 'removed']);

const ENTITIES = z.object({
  added: COUNT.describe('Number of those that lineage leads to at `to` alone.'),
  removed: COUNT.describe('Number of those that lineage leads to at `from` alone.'),
  changes: z
    .array(
      z.object({
        change: CHANGE,
        direction: TEXT,
        entity: TEXT,
        degree: COUNT,
        path: z.array(TEXT).describe('A shortest path at the time that has it.'),
      }),
    )
    .describe('By degree and then by urn.'),
});

const EDGES = z.object({
  added: COUNT,
  removed: COUNT,
  changes: z
    .array(
      z.object({
        change: CHANGE,
        upstream: TEXT,
        downstream: TEXT,
        type: TEXT.describe('Name of the relationship.'),
        via: TEXT.optional(),
        changedBy: z
          .object({ entity: TEXT, aspectName: TEXT, version: COUNT, time: TIME, actor: TEXT })
          .optional()
          .describe(
            'The last change that did it: of the aspect that declares the edge, or of `status` where an end was soft-deleted or restored. Absent when the history does not tell.',
          ),
      }),
    )
    .describe('By the ends.'),
});

export const DIFF_LINEAGE = defineRoute({
  path: 'lineage/:urn/diff',
  app: 'query',
  parameters: z.object({
    urn: urnInPath,
    from: time()
      .optional()
      .describe(
        'ISO 8601 or epoch milliseconds; a day is its start in UTC. Absent: a week before `to`, or the first change of the store, or the earliest time with few enough changes since.',
      ),
    to: time().optional().describe('The same. Absent: now.'),
    direction: lineageDirection.optional().describe('`UPSTREAM` or `DOWNSTREAM`; absent: both.'),
    maxHops: maxHops.default(1_000).describe('Most hops from the entity, in each direction.'),
    columns: flag()
      .default(false)
      .describe('True: columns and edges between them are compared too. Those of a column always are.'),
    count: integer({ minimum: 0, maximum: 1_000 }).default(100).describe('Most changes of each list.'),
    includeSoftDeleted: flag().default(false).describe('True: soft-deleted entities are not left out.'),
  }),
  otherParameters: [WAIT_FOR, WAIT],
  docs: {
    group: 'Relationships',
    summary: 'Compare the lineage of an entity between two times',
    description: `Tells which entities lineage leads to at one of two times alone, and which edges came or went, with the change that did it. The
history of the store answers, as far as retention keeps it; the model of today reads it. An edge that only lies beyond a removed one is not listed.`,
    answer: {
      description: 'The changes.',
      schema: z.object({
        urn: TEXT,
        from: TIME,
        to: TIME,
        entities: ENTITIES,
        edges: EDGES,
        columns: ENTITIES.optional(),
        columnEdges: EDGES.optional(),
        purged: ABOUT_PAST.purged.optional(),
        partial: z.boolean().optional().describe('True: a limit cut the lineage of one of the times.'),
      }),
      headers: LINEAGE_HEADERS,
    },
    rejections: {
      ...LINEAGE_REJECTIONS,
      400: 'A parameter is wrong, the urn is of a type without lineage, or a time is in the future, before the first change of the store, or so early that too much changed since.',
    },
    examples: [
      { title: 'What changed within a week', parameters: { urn: EXAMPLE_URN } },
      {
        title: 'With columns, upstream alone',
        parameters: { urn: EXAMPLE_URN, columns: 'true', direction: 'UPSTREAM' },
      },
    ],
  },
});
