import {
  EXAMPLE_URN,
  MAX_BATCH_ELEMENTS,
  content,
  defineRoute,
  flag,
  listOf,
  sentSystemMetadata,
} from '@stratalog/http';
import { CHANGE_TYPES } from '@stratalog/domain';
import { stringifyJson } from '@stratalog/json';
import * as z from 'zod';

const proposal = z.object({
  entityType: z.string().describe('Name of the entity type, for example `dataset`.'),
  entityUrn: z.string().optional().describe('Urn of the written entity.'),
  entityKeyAspect: z
    .object({
      value: z.string().describe('The value of its key aspect as JSON text.'),
      contentType: z.enum(['application/json']).default('application/json'),
    })
    .optional()
    .describe('The key of the entity, instead of `entityUrn`; the catalog computes the urn from it.'),
  changeType: z
    .enum(CHANGE_TYPES)
    .describe(
      '`UPSERT` writes the aspect, whether it exists or not. `DELETE` deletes it; with the key aspect, it deletes the whole entity. `CREATE` and `CREATE_ENTITY` are rejected when the aspect, or the entity, exists. `UPDATE` writes without default aspects. `RESTATE` sends a value to the indices again. `PATCH` changes a part of the value by RFC 6902 operations.',
    ),
  aspectName: z.string().describe('Name of the aspect, for example `datasetProperties`.'),
  aspect: z
    .object({
      value: z.string().describe('The value as JSON text, as the page of the aspect shows it.'),
      contentType: z
        .enum(['application/json', 'application/json-patch+json'])
        .default('application/json')
        .describe('Serialization of `value`.'),
    })
    .optional()
    .describe('The new value; required except for `DELETE`, and for a `RESTATE` of the stored value.'),
  systemMetadata: sentSystemMetadata
    .optional()
    .describe('The proposing run, and the time at which it observed the value.'),
  headers: z
    .record(z.string(), z.string())
    .optional()
    .describe(
      'Preconditions, checked when the proposal is applied: `If-Version-Match`, `If-Modified-Since`, `If-Unmodified-Since`, `If-None-Match`.',
    ),
});

const isAsync = flag()
  .default(false)
  .describe(
    'True: the answer comes as soon as the proposal is checked and durable in the log. The answer does not report a precondition that fails later.',
  );

const ROUTE = { path: 'aspects', app: 'ingest', takesLargeBody: true } as const;

const WRITTEN_POSITION = {
  'X-Stratalog-Position': 'Position of the write; absent when the call did not wait for the commit.',
};

export const INGEST_PROPOSAL = defineRoute({
  ...ROUTE,
  action: 'ingestProposal',
  touches: 'proposals',
  parameters: z.object({ proposal: content(proposal), async: isAsync }),
  docs: {
    group: 'Write',
    summary: 'Write one aspect of one entity',
    description: `Checks a proposal against the model and answers when its version is committed, so the caller can read it at once.
A value that equals the stored one makes no new version. The first aspect of an entity also creates its key aspect. A proposal adds the default aspects that the entity lacks, except an \`UPDATE\`.
The header \`X-Stratalog-Position\` of the answer is the position of the write. Send it as \`X-Stratalog-Wait-For\` with a search, and
the search includes the write.`,
    answer: {
      description: 'The written urn.',
      schema: z.string(),
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
        title: 'Save a metadata test',
        body: {
          proposal: {
            entityType: 'test',
            entityUrn: 'urn:li:test:docs-example',
            changeType: 'UPSERT',
            aspectName: 'testInfo',
            aspect: {
              value: stringifyJson({
                name: 'Tables have owners',
                category: 'Ownership',
                definition: {
                  type: 'JSON',
                  json: '{"on":{"types":["dataset"]},"rules":[{"property":"ownership.owners","operator":"exists"}]}',
                },
              }),
              contentType: 'application/json',
            },
          },
        },
      },
      {
        title: 'Soft-delete an entity',
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
  },
});

export const INGEST_PROPOSAL_BATCH = defineRoute({
  ...ROUTE,
  action: 'ingestProposalBatch',
  touches: 'proposals',
  parameters: z.object({
    proposals: listOf(proposal, { maximum: MAX_BATCH_ELEMENTS }).describe(
      'The proposals, in the order of their application.',
    ),
    async: isAsync,
  }),
  docs: {
    group: 'Write',
    summary: 'Write several aspects of several entities',
    description: `Accepts many proposals in one request, each in the form of a single proposal; the limit for bodies applies to the whole.
A caller that waits gets all or nothing: the catalog checks the batch as a whole and applies it in one transaction. The first rejected proposal rejects
the batch, and the message names its index. An asynchronous call appends each proposal to the log on its own; a rejected one becomes a dead letter.`,
    answer: { description: 'The text `success`.', schema: z.string(), headers: WRITTEN_POSITION },
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
  },
});
