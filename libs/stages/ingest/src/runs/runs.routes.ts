import { TASK_HEADER_DOCS, defineRoute, flag, integer, type ValueSchema } from '@stratalog/http';
import * as z from 'zod';

const COUNT: ValueSchema = { type: 'integer', minimum: 0 };
const RUN_ID = {
  type: 'string',
  description: 'Id of the run: `systemMetadata.runId` of its writes.',
} as const;
const ASPECT_OF_RUN: ValueSchema = {
  type: 'object',
  properties: {
    runId: RUN_ID,
    urn: { type: 'string', description: 'Urn of the entity.' },
    aspectName: { type: 'string', description: 'Name of the aspect.' },
    timestamp: { type: 'integer', description: 'Time of the write, in epoch milliseconds.' },
    keyAspect: { type: 'boolean', description: 'True: the run created the entity.' },
    version: { ...COUNT, description: 'Number of the version.' },
    aspect: { type: 'object', description: 'The value, when requested.' },
  },
  required: ['runId', 'urn', 'aspectName', 'timestamp', 'keyAspect', 'version'],
};
const RUN_HAS = `A run owns the aspects whose latest value it wrote. A write of another value moves the aspect to the new writer's run; a write of an equal value
does not.`;

const MAX_START = 10_000_000;
const runId = z.string().describe(RUN_ID.description);
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
      schema: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            runId: RUN_ID,
            timestamp: { type: 'integer', description: 'Time of its last write, in epoch milliseconds.' },
            rows: { ...COUNT, description: 'Number of aspects that it owns.' },
          },
          required: ['runId', 'timestamp', 'rows'],
        },
      },
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
    answer: { description: 'A page of aspects.', schema: { type: 'array', items: ASPECT_OF_RUN } },
    examples: [
      { title: 'One run', body: { runId: 'docs-example', start: 0, count: 10, includeAspect: true } },
    ],
  },
});

const ENTITIES: ValueSchema = {
  type: 'array',
  items: { type: 'object', properties: { urn: { type: 'string' } }, required: ['urn'] },
};
const ASPECTS_LEFT: ValueSchema = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      urn: { type: 'string', description: 'Urn of the entity.' },
      aspectName: { type: 'string', description: 'Name of the aspect.' },
      reason: {
        type: 'string',
        description: 'Reason why it stayed: a concurrent write, or a rejection by the model.',
      },
    },
    required: ['urn', 'aspectName', 'reason'],
  },
};

export const ROLLBACK_RUN = defineRoute({
  ...ROUTE,
  action: 'rollback',
  isLong: true,
  effect: 'destroys',
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
      schema: {
        type: 'object',
        properties: {
          aspectRowSummaries: {
            type: 'array',
            items: ASPECT_OF_RUN,
            description: 'The first hundred aspects.',
          },
          entitiesAffected: { ...COUNT, description: 'Entities with at least one of the aspects.' },
          entitiesDeleted: {
            ...COUNT,
            description: 'Entities that the run created: they are soft-deleted or hard-deleted.',
          },
          aspectsReverted: {
            ...COUNT,
            description: 'Rolled back aspects, including those of deleted entities and their keys.',
          },
          aspectsAffected: {
            ...COUNT,
            description: 'Aspects that others wrote to entities that the run created.',
          },
          unsafeEntitiesCount: { ...COUNT, description: 'Entities with such aspects.' },
          unsafeEntities: { ...ENTITIES, description: 'The first thousand of them.' },
          timeseriesRows: {
            ...COUNT,
            description:
              'Deleted timeseries values of the run, or those that would be; absent when there are none.',
          },
          aspectsLeft: { ...COUNT, description: 'Aspects that had to stay; absent when there are none.' },
          left: { ...ASPECTS_LEFT, description: 'The first hundred of them.' },
        },
        required: [
          'aspectRowSummaries',
          'entitiesAffected',
          'entitiesDeleted',
          'aspectsReverted',
          'aspectsAffected',
          'unsafeEntitiesCount',
          'unsafeEntities',
        ],
      },
    },
    rejections: { 503: 'The task waits for log or writer, or an operator stopped it. Repeat the call.' },
    examples: [
      { title: 'Report the rollback', body: { runId: 'docs-example', dryRun: true } },
      { title: 'Roll back', body: { runId: 'docs-example', dryRun: false, safe: true } },
    ],
  },
});
