import { defineRoute, oneOf, type AnswerDocs } from '@stratalog/http';
import * as z from 'zod';
import { INDEX_KINDS } from './describe-index';

const index = oneOf(INDEX_KINDS, (sent) => ({
  message: `Parameter 'index' is ${JSON.stringify(sent)}, but must be one of ${INDEX_KINDS.join(', ')}`,
})).describe('The search index, or the relationship graph.');

const ROUTE = {
  path: 'operations',
  app: 'admin',
  access: 'administrative',
  parameters: z.object({ index }),
} as const;

const ANSWER: AnswerDocs = {
  description: 'State of the live index version and of the one being built.',
  schema: {
    type: 'object',
    properties: {
      index: { type: 'string', enum: [...INDEX_KINDS] },
      state: {
        type: 'string',
        enum: ['live', 'rebuilding', 'building'],
        description:
          '`live`: one version answers. `rebuilding`: it answers until a requested one replaces it. `building`: none answers yet.',
      },
      live: { type: 'string', description: 'Name of the index version that answers.' },
      building: { type: 'string', description: 'Name of the index version that is being built.' },
      done: { type: 'integer', minimum: 0, description: 'Number of entities projected so far.' },
      total: { type: 'integer', minimum: 0, description: 'Number of entities at the start of the build.' },
    },
    required: ['index', 'state'],
  },
};

export const REBUILD_INDEX = defineRoute({
  ...ROUTE,
  action: 'rebuildIndex',
  docs: {
    group: 'Operations',
    summary: 'Rebuild an index',
    description: `Answers at once. The process that follows the index builds a new version alongside the live one and then swaps them; \`describeIndex\` reports the
progress. A repeated request during the build has no further effect.`,
    answer: ANSWER,
    examples: [{ title: 'The relationship graph', body: { index: 'graph' } }],
  },
});

export const DESCRIBE_INDEX = defineRoute({
  ...ROUTE,
  action: 'describeIndex',
  writes: false,
  docs: {
    group: 'Operations',
    summary: 'Report the state of an index',
    answer: ANSWER,
    examples: [{ title: 'The search index', body: { index: 'search' } }],
  },
});
