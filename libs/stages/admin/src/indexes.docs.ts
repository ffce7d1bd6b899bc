import type { RouteDocs, ValueSchema } from '@stratalog/http';
import { INDEX_KINDS } from './describe-index';

const BODY: ValueSchema = {
  type: 'object',
  properties: {
    index: {
      type: 'string',
      enum: [...INDEX_KINDS],
      description: 'The search index, or the relationship graph.',
    },
  },
  required: ['index'],
};

const ANSWER: RouteDocs['answer'] = {
  description: 'What there is, and what is under way.',
  schema: {
    type: 'object',
    properties: {
      index: { type: 'string', enum: [...INDEX_KINDS] },
      state: {
        type: 'string',
        enum: ['live', 'rebuilding', 'building'],
        description:
          '`live`: one answers. `rebuilding`: it answers until another, which was asked for, takes its place. `building`: none answers yet.',
      },
      live: { type: 'string', description: 'The name of the index that answers.' },
      building: { type: 'string', description: 'The name of the index that is being built.' },
      done: { type: 'integer', minimum: 0, description: 'How many entities it was given so far.' },
      total: { type: 'integer', minimum: 0, description: 'How many there were when it was begun.' },
    },
    required: ['index', 'state'],
  },
};

export const REBUILD_INDEX: RouteDocs = {
  group: 'Operations',
  summary: 'Have an index built anew',
  description: `Answers at once. The process that follows the index builds another beside the one that answers and swaps the two; \`describeIndex\` tells how
far it is. Asked again meanwhile it changes nothing.`,
  body: BODY,
  answer: ANSWER,
  examples: [{ title: 'The relationship graph', body: { index: 'graph' } }],
};

export const DESCRIBE_INDEX: RouteDocs = {
  group: 'Operations',
  summary: 'Ask how far the building of an index is',
  onlyReads: true,
  body: BODY,
  answer: ANSWER,
  examples: [{ title: 'The search index', body: { index: 'search' } }],
};
