import { EXAMPLE_URN, WAIT, WAIT_FOR, defineRoute, integer } from '@stratalog/http';
import * as z from 'zod';
import { filterAndSort } from '../filters/filter-and-sort';
import { answering } from '../search/search-flags';
import {
  MATCHES,
  MATCH_OBJECT,
  REJECTIONS,
  SCROLL_REJECTIONS,
  describePage,
  describeScroll,
} from '../search/search-answer';
import {
  INDEX_ROUTE,
  entityTypeNames,
  input,
  page,
  rejectBeyondWindow,
  scrolling,
} from '../search/search-parameters';
import { DEGREE, DEGREES } from './filter-degrees';
import { ALL_HOPS, following, lineageUrn, maxHops, rejectEmptyRange } from './lineage-parameters';
import { LINEAGE_STEP } from './lineage.routes';

/** Parameters that both searches share. */
const shared = {
  urn: lineageUrn,
  ...following,
  maxHops: maxHops.default(ALL_HOPS).describe('Most hops from the entity.'),
  input: input.default('*'),
  entities: entityTypeNames,
};

const ENTITIES = z.array(MATCH_OBJECT.extend(LINEAGE_STEP));
const MEMBERS = {
  ...MATCHES,
  entities: ENTITIES,
  lineageSearchPath: z.string().optional().describe('`TORTOISE`: lineage first, then a search among it.'),
  isPartial: z.boolean().optional().describe('True: a limit cut the lineage that was searched.'),
};
const ROUTE = { ...INDEX_ROUTE, otherParameters: [WAIT_FOR, WAIT] } as const;
const PROSE = `The filter field \`${DEGREE}\` takes ${DEGREES.join(', ')}, and a facet counts them. Every \`entities\` member is an object. Without \`level\`, a column
stands for the lineage of its entity, because a search finds few columns.`;

export const SEARCH_ACROSS_LINEAGE = defineRoute({
  ...ROUTE,
  action: 'searchAcrossLineage',
  parameters: z
    .object({
      ...shared,
      start: page.start.default(0),
      count: page.count.default(10),
      ...filterAndSort,
      ...answering,
    })
    .superRefine(rejectBeyondWindow)
    .superRefine(rejectEmptyRange),
  docs: {
    group: 'Search',
    summary: 'Search the entities that another one is made from, or that are made from it',
    description: `As \`searchAcrossEntities\`, among the entities that \`getLineage\` finds. ${PROSE}`,
    answer: describePage(MEMBERS),
    rejections: REJECTIONS,
    examples: [
      { title: 'Everything downstream', body: { urn: EXAMPLE_URN, direction: 'DOWNSTREAM' } },
      {
        title: 'Datasets one hop upstream',
        body: {
          urn: EXAMPLE_URN,
          direction: 'UPSTREAM',
          input: '*',
          entities: ['dataset'],
          filter: { or: [{ and: [{ field: 'degree', value: '1' }] }] },
          start: 0,
          count: 10,
        },
      },
    ],
  },
});

export const SCROLL_ACROSS_LINEAGE = defineRoute({
  ...ROUTE,
  action: 'scrollAcrossLineage',
  parameters: z
    .object({
      ...shared,
      ...scrolling,
      count: integer({ minimum: 1, maximum: 10_000 }).default(100).describe('Size of the page.'),
      ...filterAndSort,
      ...answering,
    })
    .superRefine(rejectEmptyRange),
  docs: {
    group: 'Search',
    summary: 'Read all matches of a search within lineage',
    description: `As \`searchAcrossLineage\`, page after page as \`scrollAcrossEntities\`. Each page follows lineage again. ${PROSE}`,
    answer: describeScroll(MEMBERS),
    rejections: SCROLL_REJECTIONS,
    examples: [
      { title: 'Everything upstream', body: { urn: EXAMPLE_URN, direction: 'UPSTREAM', count: 100 } },
    ],
  },
});
