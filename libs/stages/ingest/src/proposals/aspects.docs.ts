import { EXAMPLE_URN, SENT_SYSTEM_METADATA, type RouteDocs, type ValueSchema } from '@stratalog/http';
import { CHANGE_TYPES } from '@stratalog/model';

const PROPOSAL: ValueSchema = {
  type: 'object',
  properties: {
    entityType: { type: 'string', description: 'Name of the entity type, for example `dataset`.' },
    entityUrn: { type: 'string', description: 'Urn of the entity that is written.' },
    entityKeyAspect: {
      type: 'object',
      description: 'Instead of `entityUrn`: the key of the entity, from which its urn is made.',
      properties: {
        value: { type: 'string', description: 'The value of its key aspect as JSON text.' },
        contentType: { type: 'string', enum: ['application/json'], default: 'application/json' },
      },
      required: ['value'],
    },
    changeType: {
      type: 'string',
      enum: [...CHANGE_TYPES],
      description:
        '`UPSERT` writes the aspect, whether it is there or not. `DELETE` takes it away; of the key aspect, the whole entity. `CREATE` and `CREATE_ENTITY` are refused when the aspect, or the entity, is there. `UPDATE` writes without default aspects. `RESTATE` says a value once more for the indices. `PATCH` changes a part of the value by RFC 6902 operations.',
    },
    aspectName: { type: 'string', description: 'Name of the aspect, for example `datasetProperties`.' },
    aspect: {
      type: 'object',
      description: 'The new value; required unless something is deleted or restated as it is.',
      properties: {
        value: { type: 'string', description: 'The value as JSON text, as the page of the aspect shows it.' },
        contentType: {
          type: 'string',
          enum: ['application/json', 'application/json-patch+json'],
          default: 'application/json',
          description: 'How `value` is written.',
        },
      },
      required: ['value'],
    },
    systemMetadata: {
      ...SENT_SYSTEM_METADATA,
      description: 'Which run proposes, and when it observed the value.',
    },
    headers: {
      type: 'object',
      description:
        'Conditions, decided when the proposal is applied: `If-Version-Match`, `If-Modified-Since`, `If-Unmodified-Since`, `If-None-Match`.',
      additionalProperties: { type: 'string' },
    },
  },
  required: ['entityType', 'changeType', 'aspectName'],
};

const ASYNC: ValueSchema = {
  type: 'boolean',
  default: false,
  description:
    'True answers as soon as the proposal is checked and safe in the log; a condition that does not hold when it is applied is then not told.',
};

const WRITTEN_POSITION = {
  'X-Stratalog-Position': 'Position of the write; absent when the call did not wait for it.',
};

export const INGEST_PROPOSAL: RouteDocs = {
  group: 'Write',
  summary: 'Write one aspect of one entity',
  description: `Takes a proposal, checks it against the model, and answers when its version is committed, so that whoever wrote can read it at once.
A value that equals the stored one makes no new version. With the first aspect of an entity come its key aspect and its default aspects.

The header \`X-Stratalog-Position\` of the answer says where in the store the write lies. Send it as \`X-Stratalog-Wait-For\` with a search, and
the search includes the write.`,
  body: {
    type: 'object',
    properties: {
      proposal: PROPOSAL,
      async: ASYNC,
    },
    required: ['proposal'],
  },
  answer: {
    description: 'The urn that was written.',
    schema: { type: 'string' },
    headers: WRITTEN_POSITION,
  },
  rejections: {
    422: 'The proposal does not fit the model, and the message names up to five faults with their paths; or a condition does not hold.',
  },
  examples: [
    {
      title: 'Describe a dataset',
      body: {
        proposal: {
          entityType: 'dataset',
          entityUrn: EXAMPLE_URN,
          changeType: 'UPSERT',
          aspectName: 'datasetProperties',
          aspect: {
            value: '{"description":"An example from the documentation","customProperties":{"team":"docs"}}',
            contentType: 'application/json',
          },
        },
      },
    },
    {
      title: 'Hide an entity from search',
      body: {
        proposal: {
          entityType: 'tag',
          entityUrn: 'urn:li:tag:docs-example',
          changeType: 'UPSERT',
          aspectName: 'status',
          aspect: { value: '{"removed":true}', contentType: 'application/json' },
        },
      },
    },
    {
      title: 'Delete an entity',
      body: {
        proposal: {
          entityType: 'tag',
          entityUrn: 'urn:li:tag:docs-deleted',
          changeType: 'DELETE',
          aspectName: 'tagKey',
        },
      },
    },
    {
      title: 'Write without waiting',
      body: {
        proposal: {
          entityType: 'tag',
          entityUrn: 'urn:li:tag:docs-example',
          changeType: 'UPSERT',
          aspectName: 'tagProperties',
          aspect: {
            value: '{"name":"docs-example","description":"Made by an example"}',
            contentType: 'application/json',
          },
          systemMetadata: { runId: 'docs-example' },
        },
        async: true,
      },
    },
  ],
};

export const INGEST_PROPOSAL_BATCH: RouteDocs = {
  group: 'Write',
  summary: 'Write several aspects of several entities',
  description: `Takes many proposals at once, each as the call for a single one takes it, in one body of at most the limit for bodies.

A caller who waits gets all or nothing: the batch is checked as a whole, and applied in one transaction. The first proposal that is refused refuses
all, and the message names its place in the list. Asynchronously each proposal goes into the log on its own; one that is refused is kept aside there.`,
  body: {
    type: 'object',
    properties: {
      proposals: {
        type: 'array',
        description: 'The proposals, in the order in which they count.',
        items: PROPOSAL,
      },
      async: ASYNC,
    },
    required: ['proposals'],
  },
  answer: { description: 'The text `success`.', schema: { type: 'string' }, headers: WRITTEN_POSITION },
  rejections: {
    422: 'A proposal does not fit the model, or a condition does not hold; the message begins with its place. Nothing was written.',
  },
  examples: [
    {
      title: 'Describe two tags',
      body: {
        proposals: ['docs-example', 'docs-other'].map((name) => ({
          entityType: 'tag',
          entityUrn: `urn:li:tag:${name}`,
          changeType: 'UPSERT',
          aspectName: 'tagProperties',
          aspect: { value: `{"name":"${name}"}`, contentType: 'application/json' },
        })),
      },
    },
  ],
};
