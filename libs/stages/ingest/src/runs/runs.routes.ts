import { COUNT, JSON_OBJECT, TASK_HEADER_DOCS, defineRoute, flag, integer } from '@stratalog/http';
import * as z from 'zod';

const runId = z.string().describe('Id of the run: `systemMetadata.runId` of its writes.');
const ASPECT_OF_RUN = z.object({
  runId,
  urn: z.string().describe('Urn of the entity.'),
  aspectName: z.string().describe('Name of the aspect.'),
  timestamp: z.int().describe('Time of the write, in epoch milliseconds.'),
  keyAspect: z.boolean().describe('True: the run created the entity.'),
  version: COUNT.describe('Number of the version.'),
  aspect: JSON_OBJECT.optional().describe('The value, when requested.'),
});
const RUN_HAS = `A run owns the aspects whose latest value it wrote. A write of another value moves the aspect to the new writer's run; a write of an equal value
does not.`;

const MAX_START = 10_000_000;
const includeSoft = flag().default(false).describe('True: includes aspects of soft-deleted entities.');
const ROUTE = { path: 'runs', app: 'ingest' } as const;

export const LIST_RUNS = defineRoute({
  ...ROUTE,
  action: 'list',
  writes: false,
  parameters: z.object({
    pageOffset: integer({ minimum: 0, maximum: MAX_START }).default(0).describe('Number of runs to skip.'),
    pageSize: integer({ minimum: 0, maximum: 1_000 }).default(100).describe('Number of runs to list.'),
    includeSoft,
  }),
  docs: {
    group: 'Operations',
    summary: 'List the runs',
    description: `Lists the most recent write first. ${RUN_HAS} Runs without an aspect, and writes without a run id, are left out.`,
    answer: {
      description: 'A page of runs.',
      schema: z.array(
        z.object({
          runId,
          timestamp: z.int().describe('Time of its last write, in epoch milliseconds.'),
          rows: COUNT.describe('Number of aspects that it owns.'),
        }),
      ),
    },
    examples: [{ title: 'The last runs', body: { pageOffset: 0, pageSize: 20 } }],
  },
});

export const DESCRIBE_RUN = defineRoute({
  ...ROUTE,
  action: 'describe',
  writes: false,
  parameters: z.object({
    runId,
    start: integer({ minimum: 0, maximum: MAX_START }).describe('Number of aspects to skip.'),
    count: integer({ minimum: 0, maximum: 10_000 }).describe('Number of aspects to list.'),
    includeSoft,
    includeAspect: flag().default(false).describe('True: includes the values.'),
  }),
  docs: {
    group: 'Operations',
    summary: 'List the aspects of a run',
    description: `Lists the aspects of a run, the earliest write first. ${RUN_HAS}`,
    answer: { description: 'A page of aspects.', schema: z.array(ASPECT_OF_RUN) },
    examples: [
      { title: 'One run', body: { runId: 'docs-example', start: 0, count: 10, includeAspect: true } },
    ],
  },
});

const ENTITIES = z.array(z.object({ urn: z.string() }));
const ASPECTS_LEFT = z.array(
  z.object({
    urn: z.string().describe('Urn of the entity.'),
    aspectName: z.string().describe('Name of the aspect.'),
    reason: z.string().describe('Reason why it stayed: a concurrent write, or a rejection by the model.'),
  }),
);

export const ROLLBACK_RUN = defineRoute({
  ...ROUTE,
  action: 'rollback',
  isLong: true,
  effect: 'destroys',
  touches: ({ dryRun }) => ({ kind: 'any', changesUnnamed: !dryRun }),
  parameters: z.object({
    runId,
    dryRun: flag().describe('True: only reports the changes.'),
    safe: flag()
      .optional()
      .describe(
        'False: hard-deletes the entities that the run created instead of soft-deleting them. Takes precedence over `hardDelete`.',
      ),
    hardDelete: flag().default(false).describe('Form of older clients for `safe`: true hard-deletes.'),
  }),
  docs: {
    group: 'Operations',
    summary: 'Roll back a run',
    description: `Returns each aspect that the run owns to its state before the run, as a new version; deletes an aspect that the run created. Soft-deletes
an entity that the run created, or hard-deletes it with all later writes of others. Deletes the timeseries values that the run wrote last. Concurrent writes are not lost. Writes of the run after the call stay, so
stop the run first.
The call answers at the end, after about a minute for a hundred thousand aspects. A task does the work and goes on when the caller leaves; a repeated call waits for it.`,
    answer: {
      description: 'The rolled back aspects, or those that would be. Counts are as of the start of the call.',
      headers: TASK_HEADER_DOCS,
      schema: z.object({
        aspectRowSummaries: z.array(ASPECT_OF_RUN).describe('The first hundred aspects.'),
        entitiesAffected: COUNT.describe('Entities with at least one of the aspects.'),
        entitiesDeleted: COUNT.describe(
          'Entities that the run created: they are soft-deleted or hard-deleted.',
        ),
        aspectsReverted: COUNT.describe(
          'Rolled back aspects, including those of deleted entities and their keys.',
        ),
        aspectsAffected: COUNT.describe('Aspects that others wrote to entities that the run created.'),
        unsafeEntitiesCount: COUNT.describe('Entities with such aspects.'),
        unsafeEntities: ENTITIES.describe('The first thousand of them.'),
        timeseriesRows: COUNT.optional().describe(
          'Deleted timeseries values of the run, or those that would be; absent when there are none.',
        ),
        aspectsLeft: COUNT.optional().describe('Aspects that had to stay; absent when there are none.'),
        left: ASPECTS_LEFT.optional().describe('The first hundred of them.'),
      }),
    },
    rejections: { 503: 'The task waits for log or writer, or an operator stopped it. Repeat the call.' },
    examples: [
      { title: 'Report the rollback', body: { runId: 'docs-example', dryRun: true } },
      { title: 'Roll back', body: { runId: 'docs-example', dryRun: false, safe: true } },
    ],
  },
});
