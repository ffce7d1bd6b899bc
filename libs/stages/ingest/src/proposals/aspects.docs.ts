import { EXAMPLE_URN, SENT_SYSTEM_METADATA, type RouteDocs, type ValueSchema } from '@stratalog/http';
import { CHANGE_TYPES } from '@stratalog/model';

const PROPOSAL: ValueSchema = {
  type: 'object',
  properties: {
    entityType: { type: 'string', description: 'Name of the entity type, for example `dataset`.' },
    entityUrn: { type: 'string', description: 'Urn of the written entity.' },
    entityKeyAspect: {
      type: 'object',
      description: 'The key of the entity, instead of `entityUrn`; the catalog computes the urn from it.',
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
        '`UPSERT` writes the aspect, whether it exists or not. `DELETE` deletes it; with the key aspect, it deletes the whole entity. `CREATE` and `CREATE_ENTITY` are rejected when the aspect, or the entity, exists. `UPDATE` writes without default aspects. `RESTATE` sends a value to the indices again. `PATCH` changes a part of the value by RFC 6902 operations.',
    },
    aspectName: { type: 'string', description: 'Name of the aspect, for example `datasetProperties`.' },
    aspect: {
      type: 'object',
      description: 'The new value; required except for `DELETE`, and for a `RESTATE` of the stored value.',
      properties: {
        value: { type: 'string', description: 'The value as JSON text, as the page of the aspect shows it.' },
        contentType: {
          type: 'string',
          enum: ['application/json', 'application/json-patch+json'],
          default: 'application/json',
          description: 'Serialization of `value`.',
        },
      },
      required: ['value'],
    },
    systemMetadata: {
      ...SENT_SYSTEM_METADATA,
      description: 'The proposing run, and the time at which it observed the value.',
    },
    headers: {
      type: 'object',
      description:
        'Preconditions, checked when the proposal is applied: `If-Version-Match`, `If-Modified-Since`, `If-Unmodified-Since`, `If-None-Match`.',
      additionalProperties: { type: 'string' },
    },
  },
  required: ['entityType', 'changeType', 'aspectName'],
};

const ASYNC: ValueSchema = {
  type: 'boolean',
  default: false,
  description:
    'True: the answer comes as soon as the proposal is checked and durable in the log. The answer does not report a precondition that fails later.',
};

const WRITTEN_POSITION = {
  'X-Stratalog-Position': 'Position of the write; absent when the call did not wait for the commit.',
};

export const INGEST_PROPOSAL: RouteDocs = {
  group: 'Write',
  summary: 'Write one aspect of one entity',
  description: `Checks a proposal against the model and answers when its version is committed, so the caller can read it at once.
A value that equals the stored one makes no new version. The first aspect of an entity also creates its key aspect and its default aspects.
The header \`X-Stratalog-Position\` of the answer is the position of the write. Send it as \`X-Stratalog-Wait-For\` with a search, and
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
    description: 'The written urn.',
    schema: { type: 'string' },
    headers: WRITTEN_POSITION,
  },
  rejections: {
    422: 'The proposal does not fit the model, and the message names up to five faults with their paths; or a precondition does not hold.',
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
  description: `Accepts many proposals in one request, each in the form of a single proposal; the limit for bodies applies to the whole.
A caller that waits gets all or nothing: the catalog checks the batch as a whole and applies it in one transaction. The first rejected proposal rejects
the batch, and the message names its index. An asynchronous call appends each proposal to the log on its own; a rejected one becomes a dead letter.`,
  body: {
    type: 'object',
    properties: {
      proposals: {
        type: 'array',
        description: 'The proposals, in the order of their application.',
        items: PROPOSAL,
      },
      async: ASYNC,
    },
    required: ['proposals'],
  },
  answer: { description: 'The text `success`.', schema: { type: 'string' }, headers: WRITTEN_POSITION },
  rejections: {
    422: 'A proposal does not fit the model, or a precondition does not hold; the message begins with its index. Nothing was written.',
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
