import { type RouteDocs, type ValueSchema } from '@stratalog/http';

const COUNT: ValueSchema = { type: 'integer', minimum: 0 };
const URN: ValueSchema = { type: 'string', description: 'Urn of the entity.' };
const TIME: ValueSchema = {
  type: 'integer',
  description:
    'Epoch milliseconds: only points from then on, or up to then, that moment included. Needs `aspectName`.',
};

export const DELETE_ENTITY: RouteDocs = {
  group: 'Write',
  summary: 'Delete an entity, or points of it',
  description: `Takes away all its aspects with their history. It is a proposal in the log like any other: what was proposed before is deleted, what is
proposed later stays. With \`aspectName\` the points of this timeseries aspect go, all of them or those within a time, and everything else stays. To hide an entity so that it can come back, write its aspect \`status\` with \`removed\`.`,
  body: {
    type: 'object',
    properties: {
      urn: URN,
      aspectName: {
        type: 'string',
        description:
          'A timeseries aspect, whose points alone are deleted. To delete another aspect, propose `DELETE`.',
      },
      startTimeMillis: TIME,
      endTimeMillis: TIME,
    },
    required: ['urn'],
  },
  answer: {
    description: 'What was deleted; for an entity that is not there, nothing.',
    schema: {
      type: 'object',
      properties: {
        urn: URN,
        rows: {
          ...COUNT,
          description: 'How many versions of its aspects are gone; absent with `aspectName`.',
        },
        timeseriesRows: { ...COUNT, description: 'How many points of timeseries aspects.' },
      },
      required: ['urn', 'timeseriesRows'],
    },
    headers: { 'X-Stratalog-Position': 'Position of the deletion.' },
  },
  examples: [
    { title: 'One entity', body: { urn: 'urn:li:tag:docs-deleted' } },
    {
      title: 'Points before a time',
      body: {
        urn: 'urn:li:dataset:(urn:li:dataPlatform:hive,docs.deleted,PROD)',
        aspectName: 'datasetProfile',
        endTimeMillis: 1_700_000_000_000,
      },
    },
  ],
};

const REFERENCES: ValueSchema = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      entity: { type: 'string', description: 'Urn of the entity that refers.' },
      relationship: { type: 'string', description: 'Name of the relationship.' },
      aspect: { type: 'string', description: 'Name of the aspect that says it.' },
    },
    required: ['entity', 'relationship', 'aspect'],
  },
};

export const DELETE_REFERENCES: RouteDocs = {
  group: 'Write',
  summary: 'Take the references to an entity out of all others',
  description: `Every aspect with a relationship to the entity is written without it: the optional field goes, else the element of the array or the entry of the map.
An aspect that says nothing else is deleted; one whose schema asks for the reference, and a key, stay and are told under \`left\`. What others write meanwhile
is not lost. The entity itself is not touched. A call that was cut off is repeated; \`dryRun\` tells whether anything is left.`,
  body: {
    type: 'object',
    properties: {
      urn: URN,
      dryRun: { type: 'boolean', default: false, description: 'True: only tells what there is.' },
    },
    required: ['urn'],
  },
  answer: {
    description: 'What referred to the entity when the call came.',
    schema: {
      type: 'object',
      properties: {
        relatedAspects: { ...REFERENCES, description: 'The first ten.' },
        total: { ...COUNT, description: 'How many relationships led to the entity.' },
        left: { ...REFERENCES, description: 'The first ten that had to stay; absent when there are none.' },
      },
      required: ['relatedAspects', 'total'],
    },
  },
  rejections: { 503: 'The graph is being built, or too far behind the store. Repeat the call.' },
  examples: [
    { title: 'What would be written', body: { urn: 'urn:li:tag:docs-deleted', dryRun: true } },
    { title: 'Take them out', body: { urn: 'urn:li:tag:docs-deleted' } },
  ],
};
