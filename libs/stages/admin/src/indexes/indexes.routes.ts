import { defineRoute, oneOf } from '@stratalog/http';
import * as z from 'zod';
import { INDEX_KINDS } from './describe-index';
import { TASK } from '../tasks/tasks.routes';

const index = oneOf(INDEX_KINDS, (sent) => ({
  message: `Parameter 'index' is ${JSON.stringify(sent)}, but must be one of ${INDEX_KINDS.join(', ')}`,
})).describe(
  'The search index, the relationship graph, or the index of timeseries values, which the distributed profile has.',
);

const ROUTE = {
  path: 'operations',
  app: 'admin',
  access: 'administrative',
  parameters: z.object({ index }),
} as const;

const DESCRIPTION = z.object({
  index: z.enum(INDEX_KINDS),
  state: z
    .enum(['live', 'rebuilding', 'building'])
    .describe(
      '`live`: one version answers. `rebuilding`: it answers until a requested one replaces it. `building`: none answers yet.',
    ),
  live: z.string().optional().describe('Name of the index version that answers.'),
  building: z.string().optional().describe('Name of the index version that is being built.'),
  done: z.int().min(0).optional().describe('Number of entities projected so far.'),
  total: z.int().min(0).optional().describe('Number of entities at the start of the build.'),
});

const ANSWER = {
  description: 'State of the live index version and of the one being built.',
  schema: DESCRIPTION,
};

export const REBUILD_INDICES = defineRoute({
  ...ROUTE,
  action: 'rebuildIndices',
  parameters: z.object({ index: index.optional() }),
  docs: {
    group: 'Operations',
    summary: 'Rebuild all indices, or one',
    description: `Starts a task and answers it at once. The processes that follow the indices build new versions from the store, alongside the live ones, which answer
until they are activated. Entries without an entity are gone then. \`pauseTask\` holds the builds, \`cancelTask\` gives the unfinished versions up. A repeated call
while the task runs answers the same task; another one that includes the same index begins when the first has ended.`,
    answer: { description: 'The task. Its progress counts the entities of each index.', schema: TASK },
    examples: [
      { title: 'All indices', body: {} },
      { title: 'The relationship graph', body: { index: 'graph' } },
    ],
  },
});

export const REBUILD_INDEX = defineRoute({
  ...ROUTE,
  action: 'rebuildIndex',
  docs: {
    group: 'Operations',
    summary: 'Rebuild an index',
    description: `Does the same as \`rebuildIndices\` for one index, and describes the index: the live version that is to be replaced, and the task that replaces it.`,
    answer: {
      ...ANSWER,
      schema: DESCRIPTION.extend({
        task: z.string().describe('Name of the task that has the index rebuilt.'),
      }),
    },
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
