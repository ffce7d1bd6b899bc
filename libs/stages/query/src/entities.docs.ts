import {
  AUDIT_STAMP,
  EXAMPLE_URN,
  SYSTEM_METADATA,
  URN_IN_PATH,
  type RouteDocs,
  type ValueSchema,
} from '@stratalog/http';

const ASPECT_ENVELOPE: ValueSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', description: 'Name of the aspect.' },
    type: { type: 'string', enum: ['VERSIONED'] },
    version: { type: 'integer', description: '0: the latest.' },
    value: { type: 'object', description: 'The fields of the aspect, as its page says.' },
    created: { ...AUDIT_STAMP, description: 'When this value came, and from whom.' },
    systemMetadata: SYSTEM_METADATA,
  },
  required: ['name', 'type', 'version', 'value', 'created'],
};

export const READ_ENTITY: RouteDocs = {
  group: 'Read',
  summary: 'Read an entity with its latest aspects',
  description: `The key aspect is always there, made from the urn when nobody wrote the entity: this call is no test of existence. Aspect names
that the model does not know are passed over.`,
  parameters: [
    URN_IN_PATH,
    {
      in: 'query',
      name: 'aspects',
      description:
        'Only these aspects: `List(a,b)`, or `a,b`, or the parameter repeated. Without it all come.',
      schema: { type: 'string' },
    },
  ],
  answer: {
    description: 'The entity.',
    schema: {
      type: 'object',
      properties: {
        urn: { type: 'string' },
        entityName: { type: 'string', description: 'Name of the entity type.' },
        aspects: { type: 'object', description: 'Aspects by name.', additionalProperties: ASPECT_ENVELOPE },
      },
      required: ['urn', 'entityName', 'aspects'],
    },
  },
  examples: [
    {
      title: 'One aspect',
      parameters: { urn: EXAMPLE_URN, aspects: 'List(datasetProperties)' },
    },
    { title: 'All aspects', parameters: { urn: EXAMPLE_URN } },
  ],
};

export const READ_ASPECT: RouteDocs = {
  group: 'Read',
  summary: 'Read one aspect at a version',
  description: `Every version that was ever written can be read until retention takes it. Use this call with the key aspect to find out whether an
entity exists.`,
  parameters: [
    URN_IN_PATH,
    {
      in: 'query',
      name: 'aspect',
      description: 'Name of the aspect.',
      schema: { type: 'string' },
      isRequired: true,
    },
    {
      in: 'query',
      name: 'version',
      description: '0 is the latest, 1 the oldest, -1 the newest by its own number.',
      schema: { type: 'integer', default: 0 },
    },
  ],
  answer: {
    description: 'The version that was asked for.',
    schema: {
      type: 'object',
      properties: {
        version: { type: 'integer', description: '0 for the latest, else the number of the version.' },
        aspect: {
          type: 'object',
          description: 'The fields of the aspect, under the full name of its record.',
          additionalProperties: { type: 'object' },
        },
      },
      required: ['version', 'aspect'],
    },
  },
  refusals: { 404: 'There is no such entity, aspect or version.' },
  examples: [
    {
      title: 'The latest version',
      parameters: { urn: EXAMPLE_URN, aspect: 'datasetProperties', version: '0' },
    },
    {
      title: 'The first version',
      parameters: { urn: EXAMPLE_URN, aspect: 'datasetProperties', version: '1' },
    },
    { title: 'Does it exist?', parameters: { urn: EXAMPLE_URN, aspect: 'datasetKey' } },
  ],
};
