import { defineRoute, flag, integer, oneOf, text } from '@stratalog/http';
import { SCOPES } from '@stratalog/domain';
import * as z from 'zod';

const ROUTE = { app: 'admin', access: 'administrative', effect: 'administers' } as const;
const MAX_NAME_BYTES = 200;
const MAX_URN_BYTES = 1_024;
/** Most elements of a list of a token. */
const MAX_LIMITS = 100;
/** 68 years. */
const MAX_SECONDS = 2_147_483_647;
const MILLIS = z.int().min(0).describe('Epoch milliseconds.');
const TEXTS = z.array(z.string());

const TOKEN = {
  id: z.string().describe('Public part of the token.'),
  name: z.string(),
  actor: z.string().describe('Urn of the user on whose behalf calls with the token act.'),
  scopes: z.array(z.enum(SCOPES)),
  entityTypes: TEXTS.optional().describe('The scopes hold for these entity types only; absent: for all.'),
  platforms: TEXTS.optional().describe(
    'The scopes hold for entities of these platforms only; absent: for all.',
  ),
  calls: TEXTS.optional().describe('The scopes hold for these calls only; absent: for all.'),
  speaksForOthers: z.boolean().describe('Whether `X-DataHub-Actor` may name another user.'),
  state: z.enum(['valid', 'expired', 'revoked']),
  createdMillis: MILLIS,
  createdBy: z.string().describe('Urn of the user who made the token.'),
  expiresMillis: MILLIS.optional(),
  revokedMillis: MILLIS.optional(),
  rotatedMillis: MILLIS.optional(),
  lastUsedMillis: MILLIS.optional().describe('Time of a use, exact to ten minutes; absent before the first.'),
};
const LISTED = z.object(TOKEN);
const SHOWN = z.object({ ...TOKEN, token: z.string().describe('The token itself. No other answer has it.') });
const NO_TOKEN = { 404: 'There is no token with this id.' };
const id = text(100).describe('Id of the token, as the list has it.');
const expiresInSeconds = integer({ minimum: 1, maximum: MAX_SECONDS })
  .optional()
  .describe('The token expires after this time.');

const limits = (what: string) =>
  z
    .array(text(MAX_NAME_BYTES))
    .max(MAX_LIMITS)
    .default([])
    .describe(`Limits the scopes to these ${what}; no limit when empty.`);

export const CREATE_TOKEN = defineRoute({
  ...ROUTE,
  path: 'operations',
  action: 'createToken',
  parameters: z.object({
    name: text(MAX_NAME_BYTES).describe('What the token is for.'),
    scopes: z
      .array(
        oneOf(SCOPES, (sent) => ({
          message: `Parameter 'scopes' has ${JSON.stringify(sent)}, but must have some of ${SCOPES.join(', ')}`,
        })),
      )
      .max(SCOPES.length)
      .describe('Rights of the token; none includes another.'),
    actor: text(MAX_URN_BYTES)
      .optional()
      .describe('Urn of the user on whose behalf calls with the token act; by default the caller.'),
    entityTypes: limits('entity types'),
    platforms: limits('platforms, by the names in urns'),
    calls: limits('calls, by method, path and action: `POST /entities search`'),
    speaksForOthers: flag().default(false).describe('True: `X-DataHub-Actor` may name another user.'),
    expiresInSeconds,
  }),
  docs: {
    group: 'Operations',
    summary: 'Make a token',
    description: 'The answer shows the token once. The catalog keeps a salted hash of it.',
    answer: { description: 'The token.', schema: SHOWN },
    examples: [
      {
        title: 'For a nightly job',
        body: { name: 'docs nightly', scopes: ['read', 'write'], expiresInSeconds: 7_776_000 },
      },
      {
        title: 'For readers of datasets',
        body: { name: 'docs readers', scopes: ['read'], entityTypes: ['dataset'] },
      },
    ],
  },
});

export const ROTATE_TOKEN = defineRoute({
  ...ROUTE,
  path: 'operations',
  action: 'rotateToken',
  parameters: z.object({
    id,
    overlapSeconds: integer({ minimum: 0, maximum: 2_592_000 })
      .default(0)
      .describe('The secret before this one stays valid for so long.'),
    expiresInSeconds,
  }),
  docs: {
    group: 'Operations',
    summary: 'Give a token a new secret',
    description: 'Id, name, scopes and limits stay. The answer shows the token once.',
    answer: { description: 'The token.', schema: SHOWN },
    rejections: { 404: 'There is no valid token with this id.' },
    examples: [{ title: 'With an hour for the change', body: { id: '0123456789ab', overlapSeconds: 3_600 } }],
  },
});

export const REVOKE_TOKEN = defineRoute({
  ...ROUTE,
  path: 'operations',
  action: 'revokeToken',
  parameters: z.object({ id }),
  docs: {
    group: 'Operations',
    summary: 'Revoke a token',
    description:
      'Processes that have just checked the token accept it for five more seconds. A revoked token stays in the list.',
    answer: { description: 'The token, without its secret.', schema: LISTED },
    rejections: NO_TOKEN,
    examples: [{ title: 'One token', body: { id: 'ba9876543210' } }],
  },
});

export const LIST_TOKENS = defineRoute({
  ...ROUTE,
  path: 'operations/tokens',
  parameters: z.object({
    start: integer({ minimum: 0 }).default(0).describe('Number of tokens to skip.'),
    count: integer({ minimum: 0, maximum: 1_000 }).default(100).describe('Number of tokens to list.'),
    isSession: flag().default(false).describe('Lists the sessions of people in browsers instead.'),
  }),
  docs: {
    group: 'Operations',
    summary: 'List the tokens',
    description: "Lists the newest first, without their secrets. The operator's token is not among them.",
    answer: {
      description: 'The tokens.',
      schema: z.object({ tokens: z.array(LISTED) }),
    },
    examples: [{ title: 'The newest tokens', parameters: { count: '10' } }],
  },
});
