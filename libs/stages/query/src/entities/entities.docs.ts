import {
  AUDIT_STAMP,
  EXAMPLE_URN,
  SYSTEM_METADATA,
  URN_IN_PATH,
  type ParameterDocs,
  type RouteDocs,
  type ValueSchema,
} from '@stratalog/http';

const ASPECT_ENVELOPE: ValueSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', description: 'Name of the aspect.' },
    type: { type: 'string', enum: ['VERSIONED'] },
    version: { type: 'integer', description: '0: the latest; of the past the number of the version.' },
    value: { type: 'object', description: 'The fields of the aspect, as its page says.' },
    created: { ...AUDIT_STAMP, description: 'When this value came, and from whom.' },
    systemMetadata: SYSTEM_METADATA,
  },
  required: ['name', 'type', 'version', 'value', 'created'],
};

const ENTITY: ValueSchema = {
  type: 'object',
  properties: {
    urn: { type: 'string' },
    entityName: { type: 'string', description: 'Name of the entity type.' },
    aspects: { type: 'object', description: 'Aspects by name.', additionalProperties: ASPECT_ENVELOPE },
    asOf: { type: 'integer', format: 'int64', description: 'The time that was asked for.' },
    lost: {
      type: 'array',
      items: { type: 'string' },
      description: 'Aspects that were there then, as far as is known, and whose value is not kept any more.',
    },
  },
  required: ['urn', 'entityName', 'aspects'],
};

const SNAPSHOT: ValueSchema = {
  type: 'object',
  properties: {
    value: {
      type: 'object',
      description: 'The snapshot, under the full name of its record.',
      additionalProperties: {
        type: 'object',
        properties: {
          urn: { type: 'string' },
          aspects: {
            type: 'array',
            description: 'Each aspect under the full name of its record, the key aspect first.',
            items: { type: 'object', additionalProperties: { type: 'object' } },
          },
        },
        required: ['urn', 'aspects'],
      },
    },
  },
  required: ['value'],
};

const ASPECTS: ParameterDocs = {
  in: 'query',
  name: 'aspects',
  description: 'Only these aspects: `List(a,b)`, or `a,b`, or the parameter repeated. Without it all come.',
  schema: { type: 'string' },
};

const AS_OF: ParameterDocs = {
  in: 'query',
  name: 'asOf',
  description:
    'Epoch milliseconds: the entity as it was at the end of that millisecond, each aspect under the number of its version then.',
  schema: { type: 'integer', format: 'int64', minimum: 0 },
};

const IDS: ParameterDocs = {
  in: 'query',
  name: 'ids',
  description:
    'The urns, at most 1,000: `List(<urn>,<urn>)` with each urn encoded, or the parameter repeated.',
  schema: { type: 'string' },
  isRequired: true,
};

function parseBatch(schema: ValueSchema): ValueSchema {
  return {
    type: 'object',
    properties: {
      results: { type: 'object', description: 'By urn.', additionalProperties: schema },
      statuses: { type: 'object', description: 'Always empty.' },
      errors: { type: 'object', description: 'Always empty: one wrong urn refuses the call.' },
    },
    required: ['results', 'statuses', 'errors'],
  };
}

const TOO_LARGE =
  'A urn is wrong, there are too many, or the answer would be larger than 64 million characters.';

const CHANGE: ValueSchema = {
  type: 'object',
  properties: {
    time: { type: 'integer', format: 'int64', description: 'Epoch milliseconds.' },
    actor: { type: 'string', description: 'Urn of who did it.' },
    aspectName: { type: 'string' },
    version: { type: 'integer', description: 'Number of the version that the change made.' },
    kind: { type: 'string', enum: ['CREATED', 'CHANGED', 'DELETED'] },
    systemMetadata: SYSTEM_METADATA,
    differences: {
      type: 'array',
      description: 'At most 1,000.',
      items: {
        type: 'object',
        properties: {
          path: { type: 'string', description: 'JSON pointer; empty for the whole value.' },
          kind: { type: 'string', enum: ['added', 'removed', 'changed', 'reordered'] },
          oldValue: {},
          newValue: {},
        },
        required: ['path', 'kind'],
      },
    },
    isCut: {
      type: 'boolean',
      description: 'There are more differences, or they cannot be told: a value is not kept any more.',
    },
  },
  required: ['time', 'actor', 'aspectName', 'version', 'kind', 'differences'],
};

export const READ_ENTITY: RouteDocs = {
  group: 'Read',
  summary: 'Read an entity with its latest aspects',
  description: `The key aspect is always there, made from the urn when nobody wrote the entity: this call is no test of existence. Aspect names
that the model does not know are passed over.`,
  parameters: [URN_IN_PATH, ASPECTS, AS_OF],
  answer: { description: 'The entity.', schema: ENTITY },
  examples: [
    {
      title: 'One aspect',
      parameters: { urn: EXAMPLE_URN, aspects: 'List(datasetProperties)' },
    },
    { title: 'All aspects', parameters: { urn: EXAMPLE_URN } },
    { title: 'As it was', parameters: { urn: EXAMPLE_URN, asOf: '1700000000000' } },
  ],
};

export const READ_ENTITIES: RouteDocs = {
  group: 'Read',
  summary: 'Read several entities',
  description: `Of one type or of many; each is answered as it is alone. A list that is too long for a request line goes into the body of a
\`POST\` with \`X-HTTP-Method-Override: GET\`, as a form.`,
  parameters: [IDS, ASPECTS, AS_OF],
  answer: { description: 'The entities.', schema: parseBatch(ENTITY) },
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
};

export const READ_VERSIONED_ENTITIES: RouteDocs = {
  group: 'Read',
  summary: 'Read several entities at versions of their aspects',
  description: `An id is \`(urn:<urn>,versionStamp:<aspect>:<version>;<aspect>:<version>)\`: the aspects of the stamp at those versions, and
no others. Without a stamp, or as a plain urn, it is the latest of all.`,
  parameters: [
    {
      in: 'query',
      name: 'entityType',
      description: 'Name of the entity type that all ids have.',
      schema: { type: 'string' },
      isRequired: true,
    },
    IDS,
    ASPECTS,
  ],
  answer: { description: 'The entities.', schema: parseBatch(ENTITY) },
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
};

export const READ_SNAPSHOT: RouteDocs = {
  group: 'Read',
  summary: 'Read an entity as a snapshot',
  description: `The form that older clients know. Only aspects that the snapshot's record knows are in it, and newer entity types have
none. Of a glossary term \`ownership\` and \`glossaryTermInfo\` stand beside the list too; its urn may name a group, \`(group,name)\`.`,
  deprecated: 'GET /entitiesV2/<urn>',
  parameters: [URN_IN_PATH, ASPECTS],
  answer: { description: 'The snapshot.', schema: SNAPSHOT },
  rejections: { 400: 'The urn is wrong, or its entity type has no snapshot.' },
  examples: [{ title: 'All aspects', parameters: { urn: EXAMPLE_URN } }],
};

export const READ_SNAPSHOTS: RouteDocs = {
  group: 'Read',
  summary: 'Read several entities as snapshots',
  deprecated: 'GET /entitiesV2',
  parameters: [IDS, ASPECTS],
  answer: { description: 'The snapshots.', schema: parseBatch(SNAPSHOT) },
  rejections: { 400: TOO_LARGE },
  examples: [{ title: 'One entity', parameters: { ids: `List(${EXAMPLE_URN})` } }],
};

export const READ_TIMELINE: RouteDocs = {
  group: 'Read',
  summary: 'Read what was changed of an entity',
  description: `Each change of each aspect, the newest first: when, by whom, and at which places. A place is a JSON pointer; an element of a list
whose elements have keys is named by its key, as in \`/owners/urn:li:corpuser:a/DATAOWNER\` or \`/fields/id/nativeDataType\`.

A page ends after \`count\` changes, or before it grows too large. A urn that itself ends with \`/timeline\` must have its slash encoded.`,
  parameters: [
    URN_IN_PATH,
    ASPECTS,
    {
      in: 'query',
      name: 'startTime',
      description: 'Epoch milliseconds: only changes from then on.',
      schema: { type: 'integer', format: 'int64', minimum: 0 },
    },
    {
      in: 'query',
      name: 'endTime',
      description: 'Epoch milliseconds: only changes up to then.',
      schema: { type: 'integer', format: 'int64', minimum: 0 },
    },
    {
      in: 'query',
      name: 'count',
      description: 'How many changes come at most.',
      schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    },
    {
      in: 'query',
      name: 'cursor',
      description: 'What the page before said in `next`.',
      schema: { type: 'string' },
    },
  ],
  answer: {
    description: 'A page of changes.',
    schema: {
      type: 'object',
      properties: {
        urn: { type: 'string' },
        entityName: { type: 'string', description: 'Name of the entity type.' },
        changes: { type: 'array', items: CHANGE },
        next: { type: 'string', description: 'The `cursor` of the next page; absent on the last.' },
      },
      required: ['urn', 'entityName', 'changes'],
    },
  },
  examples: [
    { title: 'Everything', parameters: { urn: EXAMPLE_URN } },
    { title: 'One aspect', parameters: { urn: EXAMPLE_URN, aspects: 'List(datasetProperties)', count: '5' } },
  ],
};
