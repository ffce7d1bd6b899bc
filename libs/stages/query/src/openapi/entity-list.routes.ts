import {
  COUNT,
  EXAMPLE_URN,
  MAX_QUERY_TEXT_BYTES,
  WAIT,
  WAIT_FOR,
  defineRoute,
  flag,
  integer,
  text,
  touchEntities,
  touchTypes,
  urnInPath,
} from '@stratalog/http';
import * as z from 'zod';
import { MAX_BATCH_URNS } from '../entities/view-entities';
import { sorting } from '../filters/filter-and-sort';
import { listFilter } from '../filters/read-criteria';
import { INDEX_HEADERS, SCROLL_REJECTIONS } from '../search/search-answer';
import { entityTypeNames } from '../search/search-parameters';
import { OPENAPI_ENTITY, openApiEntityType, systemMetadata } from './openapi-answer';
import { rejectHalfSlice, slicing } from './openapi-scroll';

const ROUTE = { app: 'query', writes: false, otherParameters: [WAIT_FOR, WAIT] } as const;
const unused = flag().optional().describe('Accepted without effect.');
const aspects = z.array(z.string()).optional();

/** Parameters of the query that both scrolls have. */
const scrolled = {
  query: text(MAX_QUERY_TEXT_BYTES).default('*').describe('The search query.'),
  count: integer({ minimum: 1, maximum: MAX_BATCH_URNS }).default(10).describe('Size of the page.'),
  sort: z.string().default('urn').describe('Name of a searchable field to order by, or `urn`.'),
  systemMetadata,
  ...slicing,
  skipCache: unused,
  skipAggregation: unused,
  scrollIdPerEntity: unused,
};

const PAGE = {
  description: 'One page of entities.',
  schema: z.object({
    scrollId: z.string().optional().describe('Id for the next page; absent on the last.'),
    entities: z.array(OPENAPI_ENTITY),
    totalCount: COUNT.describe('Exact number of all matches, in all slices.'),
  }),
  headers: INDEX_HEADERS,
} as const;

export const LIST_OF_TYPE = defineRoute({
  ...ROUTE,
  path: 'openapi/v3/entity/:entityType',
  touches: ({ entityType }) => touchTypes([entityType]),
  parameters: z
    .object({
      entityType: openApiEntityType,
      ...scrolled,
      aspects: aspects.describe('Only these aspects; all when absent.'),
    })
    .superRefine(rejectHalfSlice),
  docs: {
    group: 'Search',
    summary: 'Read the entities of one type in the form of OpenAPI clients',
    description: 'Searches as `scrollAcrossEntities` does, and reads the aspects of each page.',
    answer: PAGE,
    rejections: SCROLL_REJECTIONS,
    examples: [
      {
        title: 'The keys of some datasets',
        parameters: { entityType: 'dataset', aspects: 'datasetKey', count: '5' },
      },
    ],
  },
});

export const SCROLL_LIST = defineRoute({
  ...ROUTE,
  path: 'openapi/v3/entity/scroll',
  method: 'POST',
  inBody: ['entities', 'aspects', 'filter', 'sortCriteria'],
  touches: ({ entities }) => touchTypes(entities),
  parameters: z
    .object({
      ...scrolled,
      entities: entityTypeNames,
      aspects: aspects.describe('Names of the aspects to read; an empty list for all. Absent: urns only.'),
      filter: listFilter('filter')
        .optional()
        .describe(
          'A match satisfies every criterion of at least one list; the name `and` is that of the original.',
        ),
      sortCriteria: sorting.sortCriteria,
    })
    .superRefine(rejectHalfSlice),
  docs: {
    group: 'Search',
    summary: 'Read the entities of several types in the form of OpenAPI clients',
    description: 'As the call for one type, with a filter. It is `scroll_entities` of the Python client.',
    answer: PAGE,
    rejections: SCROLL_REJECTIONS,
    examples: [
      {
        title: 'Datasets of one platform, with their status',
        parameters: { count: '100' },
        body: {
          entities: ['dataset'],
          aspects: ['status'],
          filter: {
            and: [{ criteria: [{ field: 'platform', value: 'urn:li:dataPlatform:postgres' }] }],
          },
        },
      },
    ],
  },
});

export const READ_ONE = defineRoute({
  app: 'query',
  path: 'openapi/v3/entity/:entityType/:urn',
  touches: (query) => touchEntities([query.urn]),
  parameters: z.object({
    entityType: openApiEntityType,
    urn: urnInPath,
    aspects: aspects.describe('Only these aspects; all when absent.'),
    systemMetadata,
  }),
  docs: {
    group: 'Read',
    summary: 'Read an entity in the form of OpenAPI clients',
    description: 'A `HEAD` of the same address tells whether the entity exists.',
    answer: { description: 'The entity.', schema: OPENAPI_ENTITY },
    rejections: { 404: 'The entity does not exist.' },
    examples: [
      {
        title: 'One aspect',
        parameters: { entityType: 'dataset', urn: EXAMPLE_URN, aspects: 'datasetProperties' },
      },
    ],
  },
});
