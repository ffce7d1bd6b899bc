import type { RouteDocs, ValueSchema } from '@stratalog/http';

const COUNT: ValueSchema = { type: 'integer', minimum: 0 };
const RUN_ID: ValueSchema = {
  type: 'string',
  description: 'Id of the run: `systemMetadata.runId` of what it has written.',
};
const INCLUDE_SOFT: ValueSchema = {
  type: 'boolean',
  default: false,
  description: 'True: aspects of entities that are hidden by their `status` count too.',
};
const ASPECT_OF_RUN: ValueSchema = {
  type: 'object',
  properties: {
    runId: RUN_ID,
    urn: { type: 'string', description: 'Urn of the entity.' },
    aspectName: { type: 'string', description: 'Name of the aspect.' },
    timestamp: { type: 'integer', description: 'When the run wrote it, in epoch milliseconds.' },
    keyAspect: { type: 'boolean', description: 'True: the run began the entity.' },
    version: { ...COUNT, description: 'Number of the version.' },
    aspect: { type: 'object', description: 'The value, where it was asked for.' },
  },
  required: ['runId', 'urn', 'aspectName', 'timestamp', 'keyAspect', 'version'],
};
const RUN_HAS = `A run has the aspects whose latest value it has written. Who writes another value takes the aspect over; who writes the same value once
more does not.`;

export const LIST_RUNS: RouteDocs = {
  group: 'Operations',
  summary: 'List the runs that have written',
  onlyReads: true,
  description: `The last to write comes first. ${RUN_HAS} Runs that have nothing any more, and writes that name no run, are left out.`,
  body: {
    type: 'object',
    properties: {
      pageOffset: { ...COUNT, default: 0, description: 'How many runs are passed over first.' },
      pageSize: { ...COUNT, maximum: 1_000, default: 100, description: 'How many runs are listed.' },
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
          timestamp: { type: 'integer', description: 'When it last wrote, in epoch milliseconds.' },
          rows: { ...COUNT, description: 'How many aspects it has.' },
        },
        required: ['runId', 'timestamp', 'rows'],
      },
    },
  },
  examples: [{ title: 'The last runs', body: { pageOffset: 0, pageSize: 20 } }],
};

export const DESCRIBE_RUN: RouteDocs = {
  group: 'Operations',
  summary: 'Tell what a run has written',
  onlyReads: true,
  description: `The aspects of a run, the first to be written first. ${RUN_HAS}`,
  body: {
    type: 'object',
    properties: {
      runId: RUN_ID,
      start: { ...COUNT, description: 'How many aspects are passed over first.' },
      count: { ...COUNT, maximum: 10_000, description: 'How many aspects are told.' },
      includeSoft: INCLUDE_SOFT,
      includeAspect: { type: 'boolean', default: false, description: 'True: with their values.' },
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
        description: 'Why it stayed: who wrote meanwhile, or what the model refuses.',
      },
    },
    required: ['urn', 'aspectName', 'reason'],
  },
};

export const ROLLBACK_RUN: RouteDocs = {
  group: 'Operations',
  summary: 'Take back what a run has written',
  description: `Each aspect that the run has becomes what it was before the run, as a new version; one that the run began is deleted. An entity that the run began
is hidden, or deleted with all that others have written of it since. What others write meanwhile is not lost. Nothing is taken back that the run writes after
the call, so stop it before.

The call answers when all is done, which takes a minute for a hundred thousand aspects. One that was cut off is repeated and goes on where it was.`,
  body: {
    type: 'object',
    properties: {
      runId: RUN_ID,
      dryRun: { type: 'boolean', description: 'True: only tells what would be done.' },
      safe: {
        type: 'boolean',
        description:
          'False: entities that the run began are deleted instead of hidden. Goes before `hardDelete`.',
      },
      hardDelete: {
        type: 'boolean',
        default: false,
        description: 'What older clients say for `safe`: true deletes.',
      },
    },
    required: ['runId', 'dryRun'],
  },
  answer: {
    description: 'What was taken back, or would be. Counts are those of the moment when the call came.',
    schema: {
      type: 'object',
      properties: {
        aspectRowSummaries: {
          type: 'array',
          items: ASPECT_OF_RUN,
          description: 'The first hundred aspects.',
        },
        entitiesAffected: { ...COUNT, description: 'Entities that any of the aspects belongs to.' },
        entitiesDeleted: {
          ...COUNT,
          description: 'Entities that the run began: they are hidden or deleted.',
        },
        aspectsReverted: {
          ...COUNT,
          description:
            'Aspects that were taken back; those of deleted entities, and their keys, are among them.',
        },
        aspectsAffected: {
          ...COUNT,
          description: 'Aspects that others have written of entities that the run began.',
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
    { title: 'What would be taken back', body: { runId: 'docs-example', dryRun: true } },
    { title: 'Take it back', body: { runId: 'docs-example', dryRun: false, safe: true } },
  ],
};
