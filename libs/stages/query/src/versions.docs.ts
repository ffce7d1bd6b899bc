import { EXAMPLE_URN, URN_IN_PATH, type RouteDocs } from '@stratalog/http';

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
