import {
  JSON_OBJECT,
  EXAMPLE_URN,
  MAX_BATCH_ELEMENTS,
  SYSTEM_METADATA,
  defineRoute,
  flag,
  listOf,
  listUpTo,
  sentSystemMetadata,
  touchEntities,
  urnInPath,
} from '@stratalog/http';
import * as z from 'zod';

const entityType = z.string().describe('Name of the entity type of all urns.');
const isAsync = flag()
  .default(true)
  .describe('False: the answer comes when all aspects are committed. True: as soon as they are in the log.');
const systemMetadata = flag()
  .default(false)
  .describe('True repeats the `systemMetadata` of each aspect in the answer.');

const written = {
  systemMetadata: sentSystemMetadata.optional(),
  headers: z
    .record(z.string(), z.string())
    .optional()
    .describe(
      'Preconditions, as those of a proposal: `If-Version-Match`, `If-Modified-Since`, `If-Unmodified-Since`, and `If-None-Match: *`, which leaves an existing aspect as it is. With `X-DataHub-Sync-Index-Update: true` the answer waits until the write is searchable.',
    ),
};

function toElement(value: z.ZodType) {
  return z
    .object({ urn: z.string().describe('Urn of the entity.') })
    .catchall(z.object({ value, ...written }).describe('An aspect, under its name.'));
}

const ANSWER = {
  description: 'The entities, each once, with the aspects as they were sent; of a patch without a value.',
  schema: z.array(
    z.object({ urn: z.string() }).catchall(
      z.object({
        value: JSON_OBJECT.optional().describe('The value as it was sent.'),
        systemMetadata: SYSTEM_METADATA.optional(),
      }),
    ),
  ),
  headers: {
    'X-Stratalog-Position': 'Position of the write; absent when the call did not wait for the commit.',
    traceparent: 'Names the write for `POST /openapi/v1/trace/write/<traceId>`.',
  },
} as const;

const ROUTE = {
  path: 'openapi/v3/entity/:entityType',
  app: 'ingest',
  touches: 'proposals',
  listBody: 'entities',
  takesLargeBody: true,
} as const;

const PROSE = {
  group: 'Write',
  answer: ANSWER,
  answersAlso: { 202: 'With `async`: the proposals are in the log.' },
  rejections: {
    422: 'An aspect does not fit the model, or a precondition does not hold; the message begins with its place. Nothing was written.',
  },
} as const;

export const WRITE_ENTITIES = defineRoute({
  ...ROUTE,
  method: 'POST',
  parameters: z.object({
    entityType,
    async: isAsync,
    systemMetadata,
    entities: listOf(toElement(JSON_OBJECT.describe('The value; see the page of the aspect.')), {
      maximum: MAX_BATCH_ELEMENTS,
    }).describe('The entities, each with the aspects to write.'),
  }),
  docs: {
    ...PROSE,
    summary: 'Write aspects of entities in the form of OpenAPI clients',
    description: `Each aspect is an \`UPSERT\`, checked and applied as proposals of \`ingestProposalBatch\` are: with \`async=false\` all or none, else each on its own.
Clients that mean \`CREATE\` or \`UPDATE\` lose that here; \`ingestProposal\` keeps it.`,
    examples: [
      {
        title: 'Describe a dataset',
        parameters: { entityType: 'dataset', async: 'false' },
        body: [
          { urn: EXAMPLE_URN, datasetProperties: { value: { description: 'Written by an OpenAPI client' } } },
        ],
      },
    ],
  },
});

export const PATCH_ENTITIES = defineRoute({
  ...ROUTE,
  method: 'PATCH',
  parameters: z.object({
    entityType,
    async: isAsync,
    systemMetadata,
    entities: listOf(
      toElement(JSON_OBJECT.describe('`{patch, arrayPrimaryKeys?, forceGenericPatch?}`, with RFC 6902.')),
      { maximum: MAX_BATCH_ELEMENTS },
    ).describe('The entities, each with the aspects to patch.'),
  }),
  docs: {
    ...PROSE,
    summary: 'Patch aspects of entities in the form of OpenAPI clients',
    description: 'Each aspect is a `PATCH`, applied as one of `ingestProposalBatch` is.',
    examples: [
      {
        title: 'Add a tag',
        parameters: { entityType: 'dataset', async: 'false' },
        body: [
          {
            urn: EXAMPLE_URN,
            globalTags: {
              value: {
                patch: [
                  {
                    op: 'add',
                    path: '/tags/urn:li:tag:docs-example',
                    value: { tag: 'urn:li:tag:docs-example' },
                  },
                ],
                arrayPrimaryKeys: { tags: ['tag'] },
              },
            },
          },
        ],
      },
    ],
  },
});

export const DELETE_WRITTEN = defineRoute({
  path: 'openapi/v3/entity/:entityType/:urn',
  method: 'DELETE',
  app: 'ingest',
  effect: 'destroys',
  listBody: 'nothing',
  touches: ({ urn }) => touchEntities([urn]),
  parameters: z.object({
    entityType,
    urn: urnInPath,
    aspects: z.array(z.string()).default([]).describe('Only these aspects; the whole entity when absent.'),
    clear: flag().default(false).describe('True deletes all aspects but the key, and keeps the entity.'),
    nothing: listUpTo(0, z.unknown()).optional().describe('An empty list, as clients send it, or no body.'),
  }),
  docs: {
    group: 'Write',
    summary: 'Delete an entity or its aspects in the form of OpenAPI clients',
    description:
      'A logged, synchronous `DELETE` of the key aspect, or of all named aspects together. Deleting what does not exist changes nothing.',
    answer: { description: 'Empty.', headers: { 'X-Stratalog-Position': 'Position of the deletion.' } },
    rejections: { 400: '`aspects` and `clear` contradict each other.' },
    examples: [
      { title: 'A tag', parameters: { entityType: 'tag', urn: 'urn:li:tag:docs-deleted' }, body: [] },
      {
        title: 'One aspect',
        parameters: { entityType: 'tag', urn: 'urn:li:tag:docs-other', aspects: 'tagProperties' },
        body: [],
      },
    ],
  },
});
