import {
  EXAMPLE_URN,
  INT64,
  JSON_OBJECT,
  defineRoute,
  flag,
  long,
  oneOf,
  touchEntities,
  urnInPath,
} from '@stratalog/http';
import { didYouMean } from '@stratalog/domain';
import * as z from 'zod';
import { TIMELINE_CATEGORIES } from './change-event';

const unused = flag().optional().describe('Accepted without effect.');
const GRADE = z.enum(['MAJOR', 'MINOR', 'PATCH']);

const category = oneOf(TIMELINE_CATEGORIES, (sent) => ({
  message: `Parameter 'categories' has "${sent.slice(0, 100)}"; allowed: ${TIMELINE_CATEGORIES.join(', ')}${didYouMean(sent, TIMELINE_CATEGORIES)}`,
}));

export const READ_EVENT_TIMELINE = defineRoute({
  path: 'openapi/v2/timeline/v1/:urn',
  app: 'query',
  touches: ({ urn }) => touchEntities([urn]),
  parameters: z.object({
    urn: urnInPath,
    categories: z.array(category).default([]).describe('Only events of these categories; all when absent.'),
    startTime: long({ minimum: -1 })
      .optional()
      .describe('Epoch milliseconds: only changes at or after this time; -1 and 0 for all.'),
    endTime: long({ minimum: -1 })
      .optional()
      .describe('Epoch milliseconds: only changes at or before this time; -1 and 0 for all.'),
    raw: unused,
    includeVersionSet: unused,
  }),
  docs: {
    group: 'Read',
    summary: 'Read what happened to an entity, in categories and with semantic versions',
    description: `It is \`datahub timeline\` of the Python client. Tells which tags, terms, owners, columns and so on came and went, the oldest first, those of one time together.
\`GET /entitiesV2/<urn>/timeline\` tells every change by paths. Changes whose old or new value is purged are left out.`,
    answer: {
      description: 'What happened, by time.',
      schema: z.array(
        z.object({
          timestamp: INT64.describe('Epoch milliseconds.'),
          actor: z.string(),
          semVer: z.string().describe('Counts from 1.0.0, which is the first of the answer.'),
          semVerChange: GRADE.describe('The greatest of the events.'),
          changeEvents: z.array(
            z.object({
              category: z.enum(TIMELINE_CATEGORIES),
              operation: z.enum(['ADD', 'REMOVE', 'MODIFY']),
              modifier: z.string().optional().describe('What was added, removed or changed, mostly a urn.'),
              entityUrn: z.string().describe('The entity, or one of its columns.'),
              semVerChange: GRADE,
              description: z.string(),
              parameters: JSON_OBJECT.optional(),
            }),
          ),
        }),
      ),
    },
    rejections: {
      400: 'More than 2,000 changes are within the time, more than 64 MB of their values, or more than 16 MB of events.',
    },
    examples: [
      { title: 'Tags and columns', parameters: { urn: EXAMPLE_URN, categories: 'TAG,TECHNICAL_SCHEMA' } },
      { title: 'Everything', parameters: { urn: EXAMPLE_URN } },
    ],
  },
});
