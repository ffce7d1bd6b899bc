import { EXAMPLE_URN, defineRoute, listUpTo, long, touchEntities } from '@stratalog/http';
import * as z from 'zod';
import { MAX_BATCH_URNS } from '../entities/view-entities';
import { OPENAPI_ENTITY, systemMetadata } from './openapi-answer';

const ASPECT_REQUEST = z
  .looseObject({
    headers: z
      .looseObject({
        'If-Version-Match': long({ minimum: 0 })
          .default(0)
          .describe(
            'The version to read; 0 is the latest. For a timeseries aspect: epoch milliseconds, for the latest value up to that time.',
          ),
      })
      .optional(),
  })
  .transform(({ headers }) => headers?.['If-Version-Match'] ?? 0);

const ELEMENT = z
  .object({ urn: z.string().describe('Urn of the entity.') })
  .catchall(ASPECT_REQUEST)
  .transform(({ urn, ...versions }) => ({ urn, versions: new Map(Object.entries(versions)) }));

export const BATCH_GET = defineRoute({
  path: 'openapi/v3/entity/:entityType/batchGet',
  method: 'POST',
  app: 'query',
  writes: false,
  listBody: 'entities',
  touches: ({ entities }) => touchEntities(entities.map(({ urn }) => urn)),
  parameters: z.object({
    entityType: z.string().describe('Name of the entity type of all urns.'),
    systemMetadata,
    entities: listUpTo(MAX_BATCH_URNS, ELEMENT).describe(
      'The entities, at most 1,000. Each names the aspects to read as members; without any, all versioned aspects and the latest timeseries values are read.',
    ),
  }),
  docs: {
    group: 'Read',
    summary: 'Read several entities in the form of OpenAPI clients',
    description: `SQL parsers of the Python client read schemas by this call. The answer leaves out entities that do not exist, and aspects and versions that an
entity does not have. Aspect names outside the model are ignored.`,
    answer: {
      description: 'The entities, in the order of the request.',
      schema: z.array(OPENAPI_ENTITY),
    },
    rejections: {
      400: 'A urn is wrong or of another type, there are too many, or the answer would exceed 64 million characters.',
    },
    examples: [
      {
        title: 'One aspect of a dataset',
        parameters: { entityType: 'dataset' },
        body: [{ urn: EXAMPLE_URN, schemaMetadata: {} }],
      },
      {
        title: 'The first version, with its system metadata',
        parameters: { entityType: 'dataset', systemMetadata: 'true' },
        body: [{ urn: EXAMPLE_URN, datasetProperties: { headers: { 'If-Version-Match': 1 } } }],
      },
    ],
  },
});
