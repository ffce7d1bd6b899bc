import {
  INT64,
  JSON_OBJECT,
  JSON_VALUE,
  AUDIT_STAMP,
  EXAMPLE_URN,
  SYSTEM_METADATA,
  defineRoute,
  integer,
  long,
  urnInPath,
  touchEntities,
} from '@stratalog/http';
import * as z from 'zod';

const ASPECT_ENVELOPE = z.object({
  name: z.string().describe('Name of the aspect.'),
  type: z.enum(['VERSIONED']),
  version: z.int().describe('0 for the latest version; the version number for a past one.'),
  value: JSON_OBJECT.describe('The fields of the aspect; see the page of the aspect.'),
  created: AUDIT_STAMP.describe('Time and actor of this value.'),
  systemMetadata: SYSTEM_METADATA.optional(),
});

const ENTITY = z.object({
  urn: z.string(),
  entityName: z.string().describe('Name of the entity type.'),
  aspects: z.record(z.string(), ASPECT_ENVELOPE).describe('Aspects by name.'),
  asOf: INT64.optional().describe('The requested time.'),
  lost: z
    .array(z.string())
    .optional()
    .describe('Aspects that existed at that time, as far as is known, and whose value is purged.'),
});

const SNAPSHOT = z.object({
  value: z
    .record(
      z.string(),
      z.object({
        urn: z.string(),
        aspects: z
          .array(z.record(z.string(), JSON_OBJECT))
          .describe('Each aspect under the full name of its record, the key aspect first.'),
      }),
    )
    .describe('The snapshot, under the full name of its record.'),
});

const aspects = z
  .array(z.string())
  .optional()
  .describe('Only these aspects: `List(a,b)`, or `a,b`, or the parameter repeated. Default: all aspects.');

const asOf = long({ minimum: 0 })
  .optional()
  .describe(
    'Epoch milliseconds: returns the entity as of the end of that millisecond, each aspect with its version number at that time.',
  );

const ids = z
  .array(z.string())
  .describe('The urns, at most 1,000: `List(<urn>,<urn>)` with each urn encoded, or the parameter repeated.');

function batchOf<Schema extends z.ZodType>(schema: Schema) {
  return z.object({
    results: z.record(z.string(), schema).describe('By urn.'),
    statuses: JSON_OBJECT.describe('Always empty.'),
    errors: JSON_OBJECT.describe('Always empty: one wrong urn rejects the call.'),
  });
}

const TOO_LARGE = 'A urn is wrong, there are too many, or the answer would exceed 64 million characters.';

const CHANGE = z.object({
  time: INT64.describe('Epoch milliseconds.'),
  actor: z.string().describe('Urn of the actor.'),
  aspectName: z.string(),
  version: z.int().describe('Version number that the change created.'),
  kind: z.enum(['CREATED', 'CHANGED', 'DELETED']),
  systemMetadata: SYSTEM_METADATA.optional(),
  differences: z
    .array(
      z.object({
        path: z.string().describe('JSON pointer; empty for the whole value.'),
        kind: z.enum(['added', 'removed', 'changed', 'reordered']),
        oldValue: JSON_VALUE.optional(),
        newValue: JSON_VALUE.optional(),
      }),
    )
    .describe('At most 1,000 differences.'),
  isCut: z
    .boolean()
    .optional()
    .describe('True: the list is incomplete, because there are more differences or a value is purged.'),
});

export const READ_ENTITY = defineRoute({
  path: 'entitiesV2/:urn',
  app: 'query',
  touches: (query) => touchEntities([query.urn]),
  parameters: z.object({ urn: urnInPath, aspects, asOf }),
  docs: {
    group: 'Read',
    summary: 'Read an entity with its latest aspects',
    description: `The answer always has the key aspect, computed from the urn when the entity was never written. This call is no test of existence. It ignores
aspect names outside the model.`,
    answer: { description: 'The entity.', schema: ENTITY },
    examples: [
      {
        title: 'One aspect',
        parameters: { urn: EXAMPLE_URN, aspects: 'List(datasetProperties)' },
      },
      { title: 'All aspects', parameters: { urn: EXAMPLE_URN } },
      { title: 'As of a time', parameters: { urn: EXAMPLE_URN, asOf: '1700000000000' } },
    ],
  },
});

export const READ_ENTITIES = defineRoute({
  path: 'entitiesV2',
  app: 'query',
  touches: (query) => touchEntities(query.ids),
  parameters: z.object({ ids, aspects, asOf }),
  docs: {
    group: 'Read',
    summary: 'Read several entities',
    description: `Accepts urns of one or several types; each entity is answered as in a single read. Send a list that exceeds a request line as the form body of a
\`POST\` with \`X-HTTP-Method-Override: GET\`.`,
    answer: { description: 'The entities.', schema: batchOf(ENTITY) },
    rejections: { 400: TOO_LARGE },
    examples: [
      {
        title: 'One aspect of two entities',
        parameters: {
          ids: `List(${EXAMPLE_URN},urn:li:tag:example)`,
          aspects: 'List(status)',
        },
      },
    ],
  },
});

export const READ_VERSIONED_ENTITIES = defineRoute({
  path: 'entitiesVersionedV2',
  app: 'query',
  parameters: z.object({
    entityType: z.string().describe('Name of the entity type of all ids.'),
    ids,
    aspects,
  }),
  docs: {
    group: 'Read',
    summary: 'Read several entities at versions of their aspects',
    description: `An id is \`(urn:<urn>,versionStamp:<aspect>:<version>;<aspect>:<version>)\`. It selects the aspects of the stamp at those versions, and
no others. An id without a stamp, or a plain urn, selects the latest version of all aspects.`,
    answer: { description: 'The entities.', schema: batchOf(ENTITY) },
    rejections: { 400: TOO_LARGE },
    examples: [
      {
        title: 'The first version of one aspect',
        parameters: {
          entityType: 'dataset',
          ids: `List((urn:${EXAMPLE_URN},versionStamp:datasetProperties:1))`,
        },
      },
    ],
  },
});

export const READ_SNAPSHOT = defineRoute({
  path: 'entities/:urn',
  app: 'query',
  touches: (query) => touchEntities([query.urn]),
  parameters: z.object({ urn: urnInPath, aspects }),
  docs: {
    group: 'Read',
    summary: 'Read an entity as a snapshot',
    description: `The form of older clients. It contains only the aspects of the snapshot's record, and newer entity types have
none. A glossary term also has \`ownership\` and \`glossaryTermInfo\` next to the list; its urn may contain a group, \`(group,name)\`.`,
    deprecated: 'GET /entitiesV2/<urn>',
    answer: { description: 'The snapshot.', schema: SNAPSHOT },
    rejections: { 400: 'The urn is wrong, or its entity type has no snapshot.' },
    examples: [{ title: 'All aspects', parameters: { urn: EXAMPLE_URN } }],
  },
});

export const READ_SNAPSHOTS = defineRoute({
  path: 'entities',
  app: 'query',
  touches: (query) => touchEntities(query.ids),
  parameters: z.object({ ids, aspects }),
  docs: {
    group: 'Read',
    summary: 'Read several entities as snapshots',
    deprecated: 'GET /entitiesV2',
    answer: { description: 'The snapshots.', schema: batchOf(SNAPSHOT) },
    rejections: { 400: TOO_LARGE },
    examples: [{ title: 'One entity', parameters: { ids: `List(${EXAMPLE_URN})` } }],
  },
});

export const READ_TIMELINE = defineRoute({
  path: 'entitiesV2/:urn/timeline',
  app: 'query',
  touches: (query) => touchEntities([query.urn]),
  parameters: z.object({
    urn: urnInPath,
    aspects,
    startTime: long({ minimum: 0 })
      .optional()
      .describe('Epoch milliseconds: only changes at or after this time.'),
    endTime: long({ minimum: 0 })
      .optional()
      .describe('Epoch milliseconds: only changes at or before this time.'),
    count: integer({ minimum: 1, maximum: 100 }).default(20).describe('Most changes of a page.'),
    cursor: integer({ minimum: 1 }).optional().describe('`next` of the page before.'),
  }),
  docs: {
    group: 'Read',
    summary: 'Read the changes of an entity',
    description: `Lists each change of each aspect, the newest first, with time, actor and paths. A path is a JSON pointer; it names an element of a keyed list
by its key, as in \`/owners/urn:li:corpuser:a/DATAOWNER\` or \`/fields/id/nativeDataType\`.
A page ends after \`count\` changes, or earlier when it grows too large. A urn that ends with \`/timeline\` needs its slash encoded.`,
    answer: {
      description: 'A page of changes.',
      schema: z.object({
        urn: z.string(),
        entityName: z.string().describe('Name of the entity type.'),
        changes: z.array(CHANGE),
        next: z.string().optional().describe('The `cursor` of the next page; absent on the last.'),
      }),
    },
    examples: [
      { title: 'Everything', parameters: { urn: EXAMPLE_URN } },
      {
        title: 'One aspect',
        parameters: { urn: EXAMPLE_URN, aspects: 'List(datasetProperties)', count: '5' },
      },
    ],
  },
});
