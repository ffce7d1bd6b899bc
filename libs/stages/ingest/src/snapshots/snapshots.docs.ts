import { EXAMPLE_URN, SENT_SYSTEM_METADATA, type RouteDocs, type ValueSchema } from '@stratalog/http';

const ENTITY: ValueSchema = {
  type: 'object',
  properties: {
    value: {
      type: 'object',
      description:
        'One member: the name of a snapshot record, for example `com.linkedin.metadata.snapshot.DatasetSnapshot`, with `urn` and `aspects`. The latter is a list of objects with one member each, the name of the record of an aspect with its fields. Names may be full, their last part, or as in Avro, with `pegasus2avro`.',
    },
  },
  required: ['value'],
};

const ANSWER = {
  description: 'Nothing; the aspects can be read.',
  headers: { 'X-Stratalog-Position': 'Position of the write.' },
};

const INSTEAD = '`POST /aspects?action=ingestProposalBatch`';

const TAG = {
  value: {
    'com.linkedin.metadata.snapshot.TagSnapshot': {
      urn: 'urn:li:tag:docs-snapshot',
      aspects: [{ 'com.linkedin.tag.TagProperties': { name: 'docs-snapshot' } }],
    },
  },
};

export const INGEST: RouteDocs = {
  group: 'Write',
  summary: 'Write a legacy snapshot: several aspects of one entity',
  description: `Takes the form in which older clients send an entity, and in which \`GET /entities/<urn>\` answers it. Each aspect in it is an \`UPSERT\`;
all are written or none. An entity type without snapshot, and an aspect that its snapshot does not list, cannot be written so.

What a snapshot says of its key aspect is passed over, for the urn says it; without aspects it makes the entity.`,
  deprecated: INSTEAD,
  body: {
    type: 'object',
    properties: {
      entity: ENTITY,
      systemMetadata: {
        ...SENT_SYSTEM_METADATA,
        description: 'Which run writes, and when it observed the values.',
      },
    },
    required: ['entity'],
  },
  answer: ANSWER,
  rejections: {
    422: 'The snapshot does not fit the model, and the message names up to five faults of an aspect with their paths. Nothing was written.',
  },
  examples: [
    {
      title: 'Describe a dataset and say who owns it',
      body: {
        entity: {
          value: {
            'com.linkedin.metadata.snapshot.DatasetSnapshot': {
              urn: EXAMPLE_URN,
              aspects: [
                { 'com.linkedin.dataset.DatasetProperties': { description: 'Written as a snapshot' } },
                {
                  'com.linkedin.common.Ownership': {
                    owners: [{ owner: 'urn:li:corpuser:docs', type: 'DATAOWNER' }],
                    lastModified: { time: 0, actor: 'urn:li:corpuser:docs' },
                  },
                },
              ],
            },
          },
        },
      },
    },
  ],
};

export const BATCH_INGEST: RouteDocs = {
  group: 'Write',
  summary: 'Write several legacy snapshots',
  description:
    'All are checked before the first is written; then each is written by itself, whole or not at all, in the order of the list.',
  deprecated: INSTEAD,
  body: {
    type: 'object',
    properties: {
      entities: { type: 'array', items: ENTITY, description: 'The snapshots.' },
      systemMetadata: {
        type: 'array',
        items: SENT_SYSTEM_METADATA,
        description: 'One for each snapshot, or absent.',
      },
    },
    required: ['entities'],
  },
  answer: ANSWER,
  rejections: {
    412: 'There are more or fewer `systemMetadata` than `entities`.',
    422: 'A snapshot does not fit the model; the message names its place. Nothing was written.',
  },
  examples: [{ title: 'One tag', body: { entities: [TAG], systemMetadata: [{ runId: 'docs-example' }] } }],
};
