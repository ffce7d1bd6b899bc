import type { RouteDocs, ValueSchema } from '@stratalog/http';

const COUNT: ValueSchema = { type: 'integer', minimum: 0 };
const RUN_ID: ValueSchema = {
  type: 'string',
  description: 'Id of the run: `systemMetadata.runId` of its writes.',
};
const INCLUDE_SOFT: ValueSchema = {
  type: 'boolean',
  default: false,
  description: 'True: includes aspects of soft-deleted entities.',
};
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

export const LIST_RUNS: RouteDocs = {
  group: 'Operations',
  summary: 'List the runs',
  onlyReads: true,
  description: `Lists the most recent write first. ${RUN_HAS} Runs without an aspect, and writes without a run id, are left out.`,
  body: {
    type: 'object',
    properties: {
      pageOffset: { ...COUNT, default: 0, description: 'Number of runs to skip.' },
      pageSize: { ...COUNT, maximum: 1_000, default: 100, description: 'Number of runs to list.' },
      includeSoft: INCLUDE_SOFT,
    },
  },
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
};

export const DESCRIBE_RUN: RouteDocs = {
  group: 'Operations',
  summary: 'List the aspects of a run',
  onlyReads: true,
  description: `Lists the aspects of a run, the earliest write first. ${RUN_HAS}`,
  body: {
    type: 'object',
    properties: {
      runId: RUN_ID,
      start: { ...COUNT, description: 'Number of aspects to skip.' },
      count: { ...COUNT, maximum: 10_000, description: 'Number of aspects to list.' },
      includeSoft: INCLUDE_SOFT,
      includeAspect: { type: 'boolean', default: false, description: 'True: includes the values.' },
    },
    required: ['runId', 'start', 'count'],
  },
  answer: { description: 'A page of aspects.', schema: { type: 'array', items: ASPECT_OF_RUN } },
  examples: [{ title: 'One run', body: { runId: 'docs-example', start: 0, count: 10, includeAspect: true } }],
};

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

export const ROLLBACK_RUN: RouteDocs = {
  group: 'Operations',
  summary: 'Roll back a run',
  description: `Returns each aspect that the run owns to its state before the run, as a new version; deletes an aspect that the run created. Soft-deletes
an entity that the run created, or hard-deletes it with all later writes of others. Concurrent writes are not lost. Writes of the run after the call stay, so
stop the run first.
The call answers at the end, after about a minute for a hundred thousand aspects. Repeat an interrupted call; it continues with the remaining aspects.`,
  body: {
    type: 'object',
    properties: {
      runId: RUN_ID,
      dryRun: { type: 'boolean', description: 'True: only reports the changes.' },
      safe: {
        type: 'boolean',
        description:
          'False: hard-deletes the entities that the run created instead of soft-deleting them. Takes precedence over `hardDelete`.',
      },
      hardDelete: {
        type: 'boolean',
        default: false,
        description: 'Form of older clients for `safe`: true hard-deletes.',
      },
    },
    required: ['runId', 'dryRun'],
  },
  answer: {
    description: 'The rolled back aspects, or those that would be. Counts are as of the start of the call.',
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
  rejections: { 503: 'Log or writer did not answer in time. Repeat the call.' },
  examples: [
    { title: 'Report the rollback', body: { runId: 'docs-example', dryRun: true } },
    { title: 'Roll back', body: { runId: 'docs-example', dryRun: false, safe: true } },
  ],
};
