import { EXAMPLE_URN, defineRoute, touchEntities } from '@stratalog/http';
import * as z from 'zod';

const REASON = z
  .string()
  .optional()
  .describe(
    'Why not, as the end of a sentence: the missing scope or limit, or the policies that come closest.',
  );

export const READ_RIGHTS = defineRoute({
  path: 'rights',
  app: 'ingest',
  touches: ({ urn }) => touchEntities([urn]),
  parameters: z.object({
    urn: z.string().describe('The entity.'),
    aspects: z
      .array(z.string())
      .optional()
      .describe(
        'Only these aspects: `List(a,b)`, or `a,b`, or the parameter repeated. Default: all of the entity type but its key.',
      ),
  }),
  docs: {
    group: 'Write',
    summary: 'Ask what the caller may write',
    description: `Says which aspects of an entity the caller may write with \`ingestProposal\`, and whether it may delete the entity, by its scopes, its limits
and the stored policies as they are now. A policy may permit to create an entity and not to change it, so the answer changes with the first write. The call changes nothing, and has no audit record.`,
    answer: {
      description: 'The rights of the caller.',
      schema: z.object({
        urn: z.string(),
        actor: z.string().describe('Urn of the user for whom the caller acts.'),
        aspects: z.array(z.object({ aspectName: z.string(), mayWrite: z.boolean(), reason: REASON })),
        mayDelete: z.boolean(),
        reason: REASON.describe('Why it may not delete the entity.'),
      }),
    },
    rejections: { 400: 'The urn is malformed, or its entity type unknown.' },
    examples: [
      { title: 'All aspects', parameters: { urn: EXAMPLE_URN } },
      { title: 'Some', parameters: { urn: EXAMPLE_URN, aspects: 'globalTags,ownership' } },
    ],
  },
});
