import { type RouteDocs, type ValueSchema } from '@stratalog/http';

const COUNT: ValueSchema = { type: 'integer', minimum: 0 };
const URN: ValueSchema = { type: 'string', description: 'Urn of the entity.' };
const TIME: ValueSchema = {
  type: 'integer',
  description:
    'Epoch milliseconds, for points of timeseries aspects; these are not supported yet, and the call is refused.',
};

export const DELETE_ENTITY: RouteDocs = {
  group: 'Write',
  summary: 'Delete an entity',
  description: `Takes away all its aspects with their history. It is a proposal in the log like any other: what was proposed before is deleted, what is
proposed later stays. To hide an entity so that it can come back, write its aspect \`status\` with \`removed\`.`,
  writes: true,
  body: {
    type: 'object',
    properties: {
      urn: URN,
      aspectName: {
        type: 'string',
        description:
          'A timeseries aspect whose points alone are meant; not supported yet. To delete another aspect, propose `DELETE`.',
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
        rows: { ...COUNT, description: 'How many versions of its aspects are gone.' },
        timeseriesRows: { ...COUNT, description: 'How many points of timeseries aspects.' },
      },
      required: ['urn', 'rows', 'timeseriesRows'],
    },
    headers: { 'X-Stratalog-Position': 'Position of the deletion.' },
  },
  examples: [{ title: 'One entity', body: { urn: 'urn:li:tag:docs-deleted' } }],
};
