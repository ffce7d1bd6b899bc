import {
  JSON_OBJECT,
  EXAMPLE_URN,
  MAX_BATCH_ELEMENTS,
  content,
  defineRoute,
  listOf,
  sentSystemMetadata,
} from '@stratalog/http';
import * as z from 'zod';

const entity = z.object({
  value: content(JSON_OBJECT).describe(
    'One member: the name of a snapshot record, for example `com.linkedin.metadata.snapshot.DatasetSnapshot`, with `urn` and `aspects`. `aspects` is a list of objects with one member each: the record name of an aspect, with its fields. A name may be the full name, its last part, or the Avro form with `pegasus2avro`.',
  ),
});

const ROUTE = { path: 'entities', app: 'ingest', takesLargeBody: true } as const;

const ANSWER = {
  description: 'Empty; the aspects are readable.',
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

export const INGEST = defineRoute({
  ...ROUTE,
  action: 'ingest',
  touches: 'proposals',
  parameters: z.object({
    entity: content(entity),
    systemMetadata: content(sentSystemMetadata)
      .optional()
      .describe('The writing run, and the time at which it observed the values.'),
  }),
  docs: {
    group: 'Write',
    summary: 'Write a legacy snapshot: several aspects of one entity',
    description: `Accepts the form in which older clients send an entity, and in which \`GET /entities/<urn>\` answers it. Each aspect is an \`UPSERT\`;
the catalog writes all or none. An entity type without a snapshot, and an aspect outside its snapshot, cannot be written this way.
The catalog ignores the content of a key aspect, because the urn determines it; a snapshot without aspects creates the entity.`,
    deprecated: INSTEAD,
    answer: ANSWER,
    rejections: {
      422: 'The snapshot does not fit the model, and the message names up to five faults of an aspect with their paths. Nothing was written.',
    },
    examples: [
      {
        title: 'Describe a dataset and its owner',
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
  },
});

export const BATCH_INGEST = defineRoute({
  ...ROUTE,
  action: 'batchIngest',
  touches: 'proposals',
  parameters: z.object({
    entities: listOf(entity, { maximum: MAX_BATCH_ELEMENTS }).describe('The snapshots.'),
    systemMetadata: listOf(sentSystemMetadata).optional().describe('One for each snapshot, or absent.'),
  }),
  docs: {
    group: 'Write',
    summary: 'Write several legacy snapshots',
    description:
      'Checks all snapshots before it writes the first. Then writes each on its own, completely or not at all, in the order of the list.',
    deprecated: INSTEAD,
    answer: ANSWER,
    rejections: {
      412: 'There are more or fewer `systemMetadata` than `entities`.',
      422: 'A snapshot does not fit the model; the message names its index. Nothing was written.',
    },
    examples: [{ title: 'One tag', body: { entities: [TAG], systemMetadata: [{ runId: 'docs-example' }] } }],
  },
});
