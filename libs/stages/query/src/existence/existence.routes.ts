import { COUNT, EXAMPLE_URN, defineRoute, flag, integer, touchEntities, touchTypes } from '@stratalog/http';
import * as z from 'zod';
import { URNS } from '../search/listing.routes';
import { entityTypeName } from '../search/search-parameters';

const urn = z.string().describe('Urn of the entity.');
const ROUTE = { app: 'query', writes: false } as const;

export const EXISTS = defineRoute({
  ...ROUTE,
  path: 'entities',
  action: 'exists',
  touches: (query) => touchEntities([query.urn]),
  parameters: z.object({
    urn,
    includeSoftDelete: flag()
      .default(true)
      .describe('False: a soft-deleted entity (`status` with `removed`) counts as absent.'),
  }),
  docs: {
    group: 'Read',
    summary: 'Check whether an entity exists',
    description: 'Reads the store. An entity without a write does not exist, nor does a hard-deleted one.',
    answer: { description: 'True when the entity exists.', schema: z.boolean() },
    examples: [{ title: 'One entity', body: { urn: EXAMPLE_URN } }],
  },
});

export const LIST_URNS = defineRoute({
  ...ROUTE,
  path: 'entities',
  action: 'listUrns',
  touches: ({ entity }) => touchTypes([entity]),
  parameters: z.object({
    entity: entityTypeName,
    start: integer({ minimum: 0 }).describe('Number of urns to skip.'),
    count: integer({ minimum: 0, maximum: 10_000 }).describe('Most urns of the page.'),
  }),
  docs: {
    group: 'Read',
    summary: 'List the urns of one entity type',
    description: 'Reads the store, soft-deleted entities included. Orders the urns by their bytes.',
    answer: { description: 'A page of urns; `count` is the size of the page.', schema: URNS },
    examples: [{ title: 'The first ten', body: { entity: 'dataset', start: 0, count: 10 } }],
  },
});

export const GET_BROWSE_PATHS = defineRoute({
  ...ROUTE,
  path: 'entities',
  action: 'getBrowsePaths',
  touches: (query) => touchEntities([query.urn]),
  parameters: z.object({ urn }),
  docs: {
    group: 'Read',
    summary: 'Read the browse paths of an entity',
    description: 'Reads the store. An entity that has no `browsePaths`, or does not exist, has none.',
    answer: { description: 'The paths.', schema: z.array(z.string()) },
    examples: [{ title: 'One entity', body: { urn: EXAMPLE_URN } }],
  },
});

export const COUNT_ASPECTS = defineRoute({
  ...ROUTE,
  path: 'aspects',
  action: 'getCount',
  parameters: z.object({
    aspect: z.string().describe('Name of the aspect.'),
    urnLike: z
      .string()
      .optional()
      .describe('Pattern for urns: `%` matches any text, `_` one character, a backslash escapes either.'),
  }),
  docs: {
    group: 'Read',
    summary: 'Count the entities with an aspect',
    description: 'Counts the latest values in the store.',
    answer: { description: 'Number of entities.', schema: COUNT },
    examples: [
      { title: 'All', body: { aspect: 'datasetProperties' } },
      {
        title: 'On one platform',
        body: { aspect: 'datasetKey', urnLike: 'urn:li:dataset:(urn:li:dataPlatform:postgres,%' },
      },
    ],
  },
});
