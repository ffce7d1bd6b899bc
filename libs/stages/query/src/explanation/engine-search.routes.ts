import { JSON_VALUE, EXAMPLE_URN, WAIT, WAIT_FOR, defineRoute, fail, listUpTo, text } from '@stratalog/http';
import { parseUrn } from '@stratalog/domain';
import * as z from 'zod';
import { entityTypeName } from '../search/search-parameters';
import { MAX_EXPLAINED_BYTES } from './explanation.routes';

/** Current servers of the original have the first address, older ones the second. */
const at = (name: string) =>
  [`openapi/operations/elasticSearch/${name}`, `operations/elasticSearch/${name}`] as const;
const ROUTE = { app: 'query', access: 'administrative', writes: false } as const;
const MAX_URNS = 1_000;

const REJECTIONS = {
  400: 'A parameter is missing or wrong.',
  404: 'There is no such entity.',
  503: 'The first index is being built, or it did not reach the position in time. Repeat the call.',
};

const unused = text(1_024).optional().describe('Accepted without effect.');
const COMMON = {
  query: text(MAX_EXPLAINED_BYTES).default('*').describe('The search query.'),
  entityName: entityTypeName.default('dataset').describe('The searched entity type.'),
  filters: z
    .string()
    .superRefine((_, context) => {
      fail(context, {
        message: "Parameter 'filters' is not supported: an explanation is about the query alone",
      });
    })
    .optional()
    .describe('Not supported: a call with it is rejected.'),
  scrollId: unused,
  keepAlive: unused,
  size: unused,
  sortCriteria: unused,
  searchFlags: unused,
};
const documentId = text(2_000)
  .transform((sent, context) => {
    const urn = toUrn(sent);
    const parsed = parseUrn(urn);
    return 'fault' in parsed ? fail(context, { message: `Invalid urn ${urn}: ${parsed.fault}` }) : urn;
  })
  .describe('Urn of the entity, as it is or percent-encoded.');

/** Documents of the original have percent-encoded urns as their ids. */
function toUrn(documentId: string): string {
  try {
    return documentId.startsWith('urn%') ? decodeURIComponent(documentId) : documentId;
  } catch {
    return documentId;
  }
}

export const EXPLAIN_SEARCH_QUERY = defineRoute({
  ...ROUTE,
  path: at('explainSearchQuery'),
  otherParameters: [WAIT_FOR, WAIT],
  parameters: z.object({ documentId, ...COMMON }),
  docs: {
    group: 'Operations',
    summary: 'Explain the score of an entity, in the form of search engines',
    description: '`GET /operations/search/explain` says the same in sentences, and more.',
    answer: {
      description: 'The explanation.',
      schema: z.object({
        index: z.string(),
        id: z.string().describe('The urn, percent-encoded.'),
        matched: z.boolean().describe('Whether the search finds the entity.'),
        explanation: z.object({
          value: z.number().describe('The score.'),
          description: z.string(),
          details: z.array(JSON_VALUE).describe('The parts of the score, in the same form.'),
        }),
      }),
    },
    rejections: REJECTIONS,
    examples: [{ title: 'One dataset', parameters: { documentId: EXAMPLE_URN, query: 'orders' } }],
  },
});

export const EXPLAIN_SEARCH_QUERY_DIFF = defineRoute({
  ...ROUTE,
  path: at('explainSearchQueryDiff'),
  otherParameters: [WAIT_FOR, WAIT],
  parameters: z.object({ documentIdA: documentId, documentIdB: documentId, ...COMMON }),
  docs: {
    group: 'Operations',
    summary: 'Compare the scores of two entities',
    answer: {
      description: 'Lines of the first entity begin with `-`, those of the second with `+`.',
      contentTypes: ['text/plain'],
    },
    rejections: REJECTIONS,
    examples: [
      {
        title: 'A dataset and itself',
        parameters: { documentIdA: EXAMPLE_URN, documentIdB: EXAMPLE_URN, query: 'orders' },
      },
    ],
  },
});

const DOCUMENT = z.object({ urn: z.string() }).catchall(JSON_VALUE);

export const READ_RAW_DOCUMENTS = defineRoute({
  ...ROUTE,
  path: at('entity/raw'),
  method: 'POST',
  listBody: 'urns',
  parameters: z.object({
    urns: listUpTo(MAX_URNS, z.string()).describe('Urns of entities, up to 1,000.'),
  }),
  docs: {
    group: 'Operations',
    summary: 'Read the raw search documents of entities',
    answer: {
      description:
        'By urn, the values that the search index holds, by field. Entities without a document are left out.',
      schema: z.record(z.string(), DOCUMENT),
    },
    rejections: { 400: REJECTIONS[400], 503: 'The first index is being built. Repeat the call.' },
    examples: [{ title: 'One dataset', body: [EXAMPLE_URN] }],
  },
});
