import {
  AUDIT_STAMP,
  EXAMPLE_URN,
  SYSTEM_METADATA,
  URN_IN_PATH,
  type RouteDocs,
  type ValueSchema,
} from '@stratalog/http';

const VERSION_OF_RANGE: ValueSchema = {
  type: 'object',
  properties: {
    version: { type: 'integer' },
    kind: { type: 'string', enum: ['UPSERT', 'DELETE'] },
    aspect: {
      type: 'object',
      description:
        'The fields, under the full name of the record; absent for a deletion, and where the value is not kept any more.',
      additionalProperties: { type: 'object' },
    },
    isErased: { type: 'boolean', description: 'There was a value, and it is not kept any more.' },
    created: { ...AUDIT_STAMP, description: 'When this version came, and from whom.' },
    systemMetadata: SYSTEM_METADATA,
  },
  required: ['version', 'kind', 'created', 'systemMetadata'],
};

export const READ_ASPECT: RouteDocs = {
  group: 'Read',
  summary: 'Read one aspect at a version, at a time, or in a range of versions',
  description: `Every version that was ever written can be read until retention takes it. Use this call with the key aspect to find out whether an
entity exists.

With \`startVersion\`, \`endVersion\`, \`order\` or \`count\` the answer is a page of versions with their stamps. It ends after \`count\` versions,
or before it grows too large; \`next\` holds the range of the page that follows.`,
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
    {
      in: 'query',
      name: 'asOf',
      description: 'Epoch milliseconds: the version of the end of that millisecond, instead of `version`.',
      schema: { type: 'integer', format: 'int64', minimum: 0 },
    },
    {
      in: 'query',
      name: 'startVersion',
      description: 'The lowest number of a range.',
      schema: { type: 'integer', minimum: 1, default: 1 },
    },
    {
      in: 'query',
      name: 'endVersion',
      description: 'The highest number of a range; 0 is the newest.',
      schema: { type: 'integer', minimum: 0, default: 0 },
    },
    {
      in: 'query',
      name: 'order',
      description: 'Of a range: the newest first, or the oldest.',
      schema: { type: 'string', enum: ['DESCENDING', 'ASCENDING'], default: 'DESCENDING' },
    },
    {
      in: 'query',
      name: 'count',
      description: 'Of a range: how many versions come at most.',
      schema: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
    },
  ],
  answer: {
    description: 'The version that was asked for, or a page of versions.',
    schema: {
      anyOf: [
        {
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
        {
          type: 'object',
          properties: {
            urn: { type: 'string' },
            aspectName: { type: 'string' },
            oldestVersion: { type: 'integer', description: 'The lowest number that is kept.' },
            newestVersion: { type: 'integer' },
            truncatedUpTo: {
              type: 'integer',
              description: 'Retention has erased the values up to this number; absent when none.',
            },
            versions: { type: 'array', items: VERSION_OF_RANGE },
            isCut: { type: 'boolean', description: 'The range begins before what is kept.' },
            next: {
              type: 'object',
              description: 'The range of the next page; absent on the last.',
              properties: { startVersion: { type: 'integer' }, endVersion: { type: 'integer' } },
            },
          },
          required: ['urn', 'aspectName', 'oldestVersion', 'newestVersion', 'versions'],
        },
      ],
    },
  },
  rejections: {
    404: 'There is no such entity, aspect or version, or retention has erased it, which the message says.',
  },
  examples: [
    {
      title: 'The latest version',
      parameters: { urn: EXAMPLE_URN, aspect: 'datasetProperties', version: '0' },
    },
    {
      title: 'The first version',
      parameters: { urn: EXAMPLE_URN, aspect: 'datasetProperties', version: '1' },
    },
    {
      title: 'All versions, the oldest first',
      parameters: { urn: EXAMPLE_URN, aspect: 'datasetProperties', order: 'ASCENDING' },
    },
    {
      title: 'Some versions',
      parameters: {
        urn: EXAMPLE_URN,
        aspect: 'datasetProperties',
        startVersion: '1',
        endVersion: '9',
        count: '5',
      },
    },
    { title: 'Does it exist?', parameters: { urn: EXAMPLE_URN, aspect: 'datasetKey' } },
  ],
};
