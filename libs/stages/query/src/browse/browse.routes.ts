import { COUNT, defineRoute, integer, text, touchTypes } from '@stratalog/http';
import * as z from 'zod';
import { filter } from '../filters/read-criteria';
import { INDEX_HEADERS, REJECTIONS } from '../search/search-answer';
import { listingFlags } from '../search/search-flags';
import {
  INDEX_ROUTE,
  entityTypeName,
  entityTypeNames,
  input,
  page,
  rejectBeyondWindow,
} from '../search/search-parameters';

const MAX_PATH_BYTES = 8_192;
/** Deepest page, in groups and entities. */
const MAX_LISTED = 10_000;

const GROUPS = z.array(
  z.object({ name: z.string(), count: COUNT.describe('Number of entities in the group.') }),
);

const listed = integer({ minimum: 0, maximum: MAX_LISTED });

export const BROWSE = defineRoute({
  ...INDEX_ROUTE,
  action: 'browse',
  touches: ({ entity }) => touchTypes([entity]),
  parameters: z.object({
    path: text(MAX_PATH_BYTES).describe('Path with `/` before each step; the root is empty.'),
    entity: entityTypeName,
    start: listed.describe('Number of groups, and then entities, to skip.'),
    limit: listed.describe('Size of the page over groups and then entities.'),
    filter: filter.optional(),
    searchFlags: listingFlags,
  }),
  docs: {
    group: 'Search',
    summary: 'List the groups below a path, and the entities at it',
    description: `Follows the paths of the aspect \`browsePaths\`. An entity whose path ends with its own name is listed in the group above too. Soft-deleted
entities are left out, and a path that no entity has is empty.`,
    answer: {
      description: 'One page of groups and then entities.',
      schema: z.object({
        numEntities: COUNT.describe('Number of entities at the path.'),
        numGroups: COUNT.describe('Number of groups below the path.'),
        numElements: COUNT.describe('Both together.'),
        from: COUNT.describe('The `start` of the request.'),
        pageSize: COUNT.describe('The `limit` of the request.'),
        entities: z
          .array(z.object({ name: z.string(), urn: z.string() }))
          .describe('The entities of the page, ordered by urn.'),
        groups: GROUPS.describe('The groups of the page, the largest first.'),
        metadata: z.object({
          totalNumEntities: COUNT.describe('Number of entities in all groups.'),
          groups: GROUPS,
          path: z.string(),
        }),
      }),
      headers: INDEX_HEADERS,
    },
    rejections: REJECTIONS,
    examples: [
      { title: 'The root', body: { path: '', entity: 'dataset', start: 0, limit: 10 } },
      { title: 'A platform', body: { path: '/prod/postgres', entity: 'dataset', start: 0, limit: 10 } },
    ],
  },
});

export const BROWSE_V2 = defineRoute({
  ...INDEX_ROUTE,
  action: 'browseV2',
  touches: ({ entities }) => touchTypes(entities),
  parameters: z
    .object({
      path: z
        .union([z.array(z.string()), text(MAX_PATH_BYTES)])
        .default([])
        .describe('Steps from the root, or one text with `␟` before each step. Absent: the root.'),
      entities: entityTypeNames,
      input: input.default('*'),
      ...page,
      filter: filter.optional(),
      searchFlags: listingFlags,
    })
    .superRefine(rejectBeyondWindow),
  docs: {
    group: 'Search',
    summary: 'List the folders below a path in which a search finds entities',
    description:
      'Follows the paths of the aspect `browsePathsV2`, whose steps may be containers. Soft-deleted entities are left out, and a path that no entity has is empty.',
    answer: {
      description: 'One page of groups and then entities.',
      schema: z.object({
        from: COUNT,
        pageSize: COUNT,
        numGroups: COUNT,
        groups: z.array(
          z.object({
            name: z.string().describe('The step: the last part of the path of this group.'),
            displayName: z.string(),
            entity: z.string().optional().describe('Urn of the container, when the step is one.'),
            count: COUNT,
            hasSubGroups: z.boolean(),
          }),
        ),
        numEntities: COUNT.describe('Number of entities at the path.'),
        entities: z.array(z.string()).describe('Urns of the page.'),
        metadata: z.object({ path: z.string(), totalNumEntities: COUNT }),
      }),
      headers: INDEX_HEADERS,
    },
    rejections: REJECTIONS,
    examples: [{ title: 'The root of all datasets', body: { entities: ['dataset'], start: 0, count: 10 } }],
  },
});
