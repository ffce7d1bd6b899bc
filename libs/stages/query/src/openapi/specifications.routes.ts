import { COUNT, defineRoute, integer } from '@stratalog/http';
import * as z from 'zod';

const ASPECT = z.object({ aspectAnnotation: z.object({ name: z.string().describe('Name of the aspect.') }) });

export const LIST_SPECIFICATIONS = defineRoute({
  app: 'query',
  access: 'public',
  path: 'openapi/v1/registry/models/entity/specifications',
  parameters: z.object({
    start: integer({ minimum: 0 }).default(0).describe('Number of entity types to skip.'),
    count: integer({ minimum: 0, maximum: 1_000 }).default(20).describe('Most entity types of the page.'),
  }),
  docs: {
    group: 'Model',
    summary: 'List the entity types with their aspects, in the form of OpenAPI clients',
    description: '`/models/entities` says the same in one answer, and `/models/entities/<name>` says more.',
    answer: {
      description: 'One page of entity types, in the order of the model.',
      schema: z.object({
        start: COUNT.describe('The `start` of the request.'),
        count: COUNT.describe('Number of entity types on this page.'),
        total: COUNT.describe('Number of all entity types.'),
        elements: z.array(
          z.object({
            name: z.string(),
            keyAspectName: z.string(),
            keyAspectSpec: ASPECT,
            aspectSpecs: z.array(ASPECT).describe('All aspects, with the key.'),
          }),
        ),
      }),
    },
    examples: [{ title: 'The first', parameters: { count: '5' } }],
  },
});
