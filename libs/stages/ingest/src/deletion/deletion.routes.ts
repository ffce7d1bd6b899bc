import { COUNT, TASK_HEADER_DOCS, defineRoute, flag, long, touchEntities } from '@stratalog/http';
import * as z from 'zod';

const urn = z.string().describe('Urn of the entity.');
const time = long({ minimum: 0 })
  .optional()
  .describe(
    'Epoch milliseconds, inclusive: the start or the end of the range of deleted values. Needs `aspectName`.',
  );
const ROUTE = { path: 'entities', app: 'ingest' } as const;

export const DELETE_ENTITY = defineRoute({
  ...ROUTE,
  action: 'delete',
  effect: 'destroys',
  touches: (query) => touchEntities([query.urn]),
  parameters: z.object({
    urn,
    aspectName: z
      .string()
      .optional()
      .describe(
        'A timeseries aspect: only its values are deleted. To delete another aspect, propose `DELETE`.',
      ),
    startTimeMillis: time,
    endTimeMillis: time,
  }),
  docs: {
    group: 'Write',
    summary: 'Delete an entity, or values of a timeseries aspect',
    description: `Deletes all aspects of the entity with their history. The deletion is a proposal in the log: it removes earlier writes, and later
writes stay. With \`aspectName\` it deletes only values of this timeseries aspect, all of them or those in a time range. To soft-delete an entity, so that it can be restored, write its aspect \`status\` with \`removed\`.`,
    answer: {
      description: 'Numbers of deleted values; 0 for an entity that does not exist.',
      schema: z.object({
        urn: z.string().describe('Urn of the entity.'),
        rows: COUNT.optional().describe(
          'Number of deleted versions of its aspects; absent with `aspectName`.',
        ),
        timeseriesRows: COUNT.describe('Number of deleted timeseries values.'),
      }),
      headers: { 'X-Stratalog-Position': 'Position of the deletion.' },
    },
    examples: [
      { title: 'One entity', body: { urn: 'urn:li:tag:docs-deleted' } },
      {
        title: 'Timeseries values before a time',
        body: {
          urn: 'urn:li:dataset:(urn:li:dataPlatform:hive,docs.deleted,PROD)',
          aspectName: 'datasetProfile',
          endTimeMillis: 1_700_000_000_000,
        },
      },
    ],
  },
});

const REFERENCES = z.array(
  z.object({
    entity: z.string().describe('Urn of the referring entity.'),
    relationship: z.string().describe('Name of the relationship.'),
    aspect: z.string().describe('Name of the referring aspect.'),
  }),
);

export const DELETE_REFERENCES = defineRoute({
  ...ROUTE,
  effect: 'destroys',
  touches: ({ dryRun }) => ({ kind: 'any', changesUnnamed: !dryRun }),
  action: 'deleteReferences',
  isLong: true,
  parameters: z.object({
    urn,
    dryRun: flag().default(false).describe('True: only reports the references.'),
  }),
  docs: {
    group: 'Write',
    summary: 'Remove the references to an entity from all others',
    description: `Rewrites every aspect with a relationship to the entity without it: removes the optional field, else the element of the array or the entry of the map.
Deletes an aspect that has no other content. Key aspects, and aspects whose schema requires the reference, stay; \`left\` lists them. Concurrent writes
are not lost. The entity itself does not change. A task does the work and goes on when the caller leaves; a repeated call waits for it.`,
    answer: {
      description: 'The references to the entity at the time of the call.',
      headers: TASK_HEADER_DOCS,
      schema: z.object({
        relatedAspects: REFERENCES.describe('The first ten references.'),
        total: COUNT.describe('Number of relationships to the entity.'),
        left: REFERENCES.optional().describe(
          'The first ten references that stay; absent when there are none.',
        ),
      }),
    },
    rejections: {
      503: 'The graph is being built, or too far behind the store, or an operator stopped the task. Repeat the call.',
    },
    examples: [
      { title: 'Report the references', body: { urn: 'urn:li:tag:docs-deleted', dryRun: true } },
      { title: 'Remove the references', body: { urn: 'urn:li:tag:docs-deleted' } },
    ],
  },
});
