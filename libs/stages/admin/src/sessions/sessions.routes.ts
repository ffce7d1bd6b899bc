import { defineRoute, text, touchNothing } from '@stratalog/http';
import { CALL_EFFECTS, SCOPES } from '@stratalog/domain';
import * as z from 'zod';
import { isPage } from './sign-in';

const ROUTE = { app: 'admin', touches: touchNothing } as const;
const MAX_ADDRESS_BYTES = 2_048;
const NAMES = z.array(z.string());

export const READ_SESSION = defineRoute({
  ...ROUTE,
  path: 'session',
  docs: {
    group: 'Operations',
    summary: 'Ask who you are',
    description: 'The caller of this call, as its token, session or proxy names it, and its rights.',
    answer: {
      description: 'The caller.',
      schema: z.object({
        kind: z.enum(['anonymous', 'operator', 'token', 'jwt', 'user']),
        name: z.string(),
        actor: z.string().describe('Urn of the user on whose behalf the caller acts.'),
        scopes: z.array(z.enum(SCOPES)),
        open: z.array(z.enum(CALL_EFFECTS)).describe('Effects of calls that need no scope here.'),
        entityTypes: NAMES.optional().describe('The scopes hold for these entity types only.'),
        platforms: NAMES.optional().describe('The scopes hold for entities of these platforms only.'),
        calls: NAMES.optional().describe('The scopes hold for these calls only.'),
        expiresMillis: z.int().min(0).optional().describe('When the token or session expires.'),
        isSession: z.boolean().describe('Whether the caller signed in in a browser.'),
      }),
    },
    examples: [{ title: 'The caller' }],
  },
});

export const BEGIN_SIGN_IN = defineRoute({
  ...ROUTE,
  path: 'session/sign-in',
  access: 'public',
  parameters: z.object({
    then: text(MAX_ADDRESS_BYTES)
      .refine(isPage, { error: "Parameter 'then' must be the path of a page: /ui/…" })
      .default('/ui/')
      .describe('The page to see after signing in.'),
  }),
  docs: {
    group: 'Operations',
    summary: 'Sign in in a browser',
    description: 'Leads to the identity provider, by the OpenID Connect authorization code flow with PKCE.',
    rejections: { 404: 'No identity provider is configured.' },
    examples: [],
  },
});

export const FINISH_SIGN_IN = defineRoute({
  ...ROUTE,
  path: 'session/callback',
  access: 'public',
  otherParameters: ['code', 'state', 'iss', 'error', 'error_description', 'session_state'].map((name) => ({
    name,
    in: 'query' as const,
    description: 'As the identity provider sets it.',
    schema: { type: 'string' },
  })),
  docs: {
    group: 'Operations',
    summary: 'Come back from the identity provider',
    description:
      'The provider leads here. Sets the cookie of the session, which counts in calls with the header `X-Stratalog-Session`, and leads to the page that was asked for.',
    rejections: { 404: 'No identity provider is configured.' },
    examples: [],
  },
});

export const SIGN_OUT = defineRoute({
  ...ROUTE,
  path: 'session',
  method: 'DELETE',
  writes: false,
  docs: {
    group: 'Operations',
    summary: 'Sign out',
    description:
      'Ends the session of the caller at once in this process, and in five more seconds in others. A token stays valid.',
    answer: { description: 'Empty.', schema: z.object({}) },
    examples: [{ title: 'Sign out' }],
  },
});
