import { EXAMPLE_URN, type RouteDocs, type ValueSchema } from '@stratalog/http';
import { COUNT, ENTITY, URNS } from '../search/listing.docs';

const URN: ValueSchema = { type: 'string', description: 'Urn of the entity.' };
export const EXISTS: RouteDocs = {
  group: 'Read',
  summary: 'Ask whether an entity is there',
  onlyReads: true,
  description: 'Asks the store. An entity that was deleted is not there, one that nobody wrote neither.',
  body: {
    type: 'object',
    properties: {
      urn: URN,
      includeSoftDelete: {
        type: 'boolean',
        default: true,
        description: 'False: an entity whose `status` says `removed` does not count.',
      },
    },
    required: ['urn'],
  },
  answer: { description: 'Whether it is.', schema: { type: 'boolean' } },
  examples: [{ title: 'One entity', body: { urn: EXAMPLE_URN } }],
};

export const LIST_URNS: RouteDocs = {
  group: 'Read',
  summary: 'List the urns of one entity type',
  onlyReads: true,
  description: 'Asks the store: hidden entities are among them. The order is that of the urns, byte by byte.',
  body: {
    type: 'object',
    properties: {
      entity: ENTITY,
      start: { ...COUNT, description: 'How many urns are skipped.' },
      count: { ...COUNT, maximum: 10_000, description: 'How many urns come at most.' },
    },
    required: ['entity', 'start', 'count'],
  },
  answer: { description: 'A page of urns; `count` is how many came.', schema: URNS },
  examples: [{ title: 'The first ten', body: { entity: 'dataset', start: 0, count: 10 } }],
};

export const GET_BROWSE_PATHS: RouteDocs = {
  group: 'Read',
  summary: 'Read the browse paths of an entity',
  onlyReads: true,
  description: 'Asks the store. An entity without `browsePaths`, or that is not there, has none.',
  body: { type: 'object', properties: { urn: URN }, required: ['urn'] },
  answer: { description: 'The paths.', schema: { type: 'array', items: { type: 'string' } } },
  examples: [{ title: 'One entity', body: { urn: EXAMPLE_URN } }],
};

export const COUNT_ASPECTS: RouteDocs = {
  group: 'Read',
  summary: 'Count the entities that have an aspect',
  onlyReads: true,
  description: 'Asks the store; its latest values are counted.',
  body: {
    type: 'object',
    properties: {
      aspect: { type: 'string', description: 'Name of the aspect.' },
      urnLike: {
        type: 'string',
        description:
          'Only urns like this: `%` stands for any text, `_` for one character, a backslash before either for itself.',
      },
    },
    required: ['aspect'],
  },
  answer: { description: 'How many there are.', schema: COUNT },
  examples: [
    { title: 'All', body: { aspect: 'datasetProperties' } },
    {
      title: 'Of one platform',
      body: { aspect: 'datasetKey', urnLike: 'urn:li:dataset:(urn:li:dataPlatform:postgres,%' },
    },
  ],
};
