import { isIP } from 'node:net';
import {
  JWT_ALGORITHMS,
  isSafeAddress,
  type IdentityProviderOptions,
  type JwtOptions,
  type ProxyUserOptions,
  type TlsFiles,
} from '@stratalog/http';
import { InvalidSettingError, SCOPES } from '@stratalog/domain';
import type { ACCESS, PROCESS } from './catalog-settings';
import { parseScopeRules } from './scope-rules';
import {
  among,
  list,
  parsed,
  path,
  some,
  text,
  within,
  type Setting,
  type Settings,
  type ValuesOf,
} from './setting-kinds';

/** Words for networks, as `X-Forwarded-For` libraries use them. */
const NETWORK_WORDS: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal']);

/** An address, a network as `address/prefix`, or a word for one. */
function isNetwork(name: string): boolean {
  const [address = '', prefix = '0', ...rest] = name.split('/');
  const family = isIP(address);
  if (family === 0) return NETWORK_WORDS.has(name);
  return rest.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128);
}

/** Headers that clients, proxies and the catalog use for something else. */
const MEANT_OTHERWISE =
  /^(?:x-forwarded-.*|x-stratalog-.*|x-restli-.*|x-datahub-.*|accept.*|content-.*|sec-.*|authorization|connection|cookie|expect|forwarded|host|origin|referer|te|transfer-encoding|upgrade|user-agent|via)$/i;

const SAFE_ADDRESS = {
  allowed: 'https://host/path, or http:// on this machine',
  schema: text.refine(isSafeAddress),
};
const DEFAULT_SCOPES = SCOPES.map((scope) => `scope=stratalog.${scope} -> ${scope}`).join('; ');

/** Callers whom a proxy names. */
export const PROXIES = {
  trustedProxies: {
    name: 'STRATALOG_TRUSTED_PROXIES',
    help: 'Proxies whose X-Forwarded-For names the address of a client, separated by ","; none unless set, and those of this machine in the distributed profile.',
    distributedFallback: 'loopback',
    allowed: 'addresses, networks like 10.0.0.0/8, or the words loopback, linklocal, uniquelocal',
    schema: list(isNetwork),
  },
  header: {
    name: 'STRATALOG_PROXY_USER_HEADER',
    help: 'The header in which a trusted proxy names the user that it has authenticated, by a certificate for instance; needs STRATALOG_TRUSTED_PROXIES.',
    allowed: 'the name of a header that means nothing else, like X-Remote-User',
    schema: text
      .regex(/^[a-z][a-z\d-]{0,63}$/i)
      .refine((name) => !MEANT_OTHERWISE.test(name))
      .toLowerCase(),
  },
  scopes: {
    name: 'STRATALOG_PROXY_USER_SCOPES',
    help: 'The scopes of users whom a trusted proxy names, separated by ",".',
    fallback: 'read',
    ...some(SCOPES),
  },
} as const satisfies Settings;

export const JWT = {
  issuer: {
    name: 'STRATALOG_JWT_ISSUER',
    help: 'The identity provider whose tokens (JWT) are accepted, as its tokens name it; needs STRATALOG_JWT_AUDIENCE.',
    ...SAFE_ADDRESS,
  },
  audience: {
    name: 'STRATALOG_JWT_AUDIENCE',
    help: 'The audience that a token must be for.',
    allowed: 'a name',
    schema: text,
  },
  keysUrl: {
    name: 'STRATALOG_JWT_KEYS_URL',
    help: "Address of the issuer's public keys (JWKS), when the issuer's own description does not name it.",
    ...SAFE_ADDRESS,
  },
  algorithms: {
    name: 'STRATALOG_JWT_ALGORITHMS',
    help: 'Signatures that are accepted, separated by ",".',
    fallback: JWT_ALGORITHMS.join(','),
    ...some(JWT_ALGORITHMS),
  },
  clockToleranceSeconds: {
    name: 'STRATALOG_JWT_CLOCK_TOLERANCE_SECONDS',
    help: 'How far the clocks of issuer and catalog may differ.',
    fallback: '30',
    ...within(0, 600),
  },
  actorClaim: {
    name: 'STRATALOG_JWT_ACTOR_CLAIM',
    help: 'The claim that names the user of a token.',
    fallback: 'sub',
    allowed: 'the name of a claim, or a path with dots',
    schema: text,
  },
  scopeRules: {
    name: 'STRATALOG_JWT_SCOPES',
    help: 'Which claims give which scopes.',
    fallback: DEFAULT_SCOPES,
    allowed: `rules like "groups=engineers -> read,write; * -> read" with the scopes ${SCOPES.join(', ')}`,
    schema: parsed(parseScopeRules),
  },
} as const satisfies Settings;

export const SIGN_IN = {
  clientId: {
    name: 'STRATALOG_OIDC_CLIENT_ID',
    help: 'The client that the catalog is at the identity provider, so that people can sign in in a browser; needs STRATALOG_JWT_ISSUER and STRATALOG_BASE_URL.',
    allowed: 'a name',
    schema: text,
  },
  clientSecret: {
    name: 'STRATALOG_OIDC_CLIENT_SECRET',
    help: 'The secret of this client; a public client has none.',
    allowed: 'a text',
    schema: text,
    secret: true,
  },
  scope: {
    name: 'STRATALOG_OIDC_SCOPES',
    help: 'The scopes that the catalog requests from the provider when somebody signs in, separated by blanks.',
    fallback: 'openid profile email',
    allowed: 'names, openid among them',
    schema: text.refine((names) => names.split(' ').includes('openid')),
  },
  sessionMs: {
    name: 'STRATALOG_SESSION_HOURS',
    help: 'How long somebody stays signed in.',
    fallback: '12',
    ...within(1, 720, 3_600_000),
  },
} as const satisfies Settings;

export const POLICIES_AND_TLS = {
  policyMode: {
    name: 'STRATALOG_POLICIES',
    help: 'Whether the policies of the catalog (dataHubPolicy) decide who may write which aspects of which entities; needs STRATALOG_AUTH=all.',
    fallback: 'off',
    ...among(['off', 'on']),
  },
  assistantWrites: {
    name: 'STRATALOG_MCP_WRITES',
    help: 'Whether AI assistants get tools that write, by POST /mcp, with the rights of their callers; needs STRATALOG_BASE_URL in the distributed profile.',
    fallback: 'off',
    ...among(['off', 'on']),
  },
  certificateFile: {
    name: 'STRATALOG_TLS_CERT_FILE',
    help: 'PEM file with the certificate for TLS and those of its issuers; needs STRATALOG_TLS_KEY_FILE. Plain HTTP unless set.',
    ...path,
  },
  keyFile: {
    name: 'STRATALOG_TLS_KEY_FILE',
    help: 'PEM file with the private key of the certificate, without a password.',
    ...path,
  },
} as const satisfies Settings;

export const CALLER_LIMITS = {
  limits: {
    readsPerSecond: {
      name: 'STRATALOG_READS_PER_SECOND',
      help: 'Most reads of one caller, as an average over ten seconds, before a 429; 0 sets no limit.',
      fallback: '0',
      ...within(0, 1_000_000),
    },
    writesPerSecond: {
      name: 'STRATALOG_WRITES_PER_SECOND',
      help: 'Most writes of one caller, as an average over ten seconds, before a 429; 0 sets no limit.',
      fallback: '0',
      ...within(0, 1_000_000),
    },
    maxFailedTokens: {
      name: 'STRATALOG_MAX_FAILED_TOKENS',
      help: 'Wrong tokens from one address before it is locked out, for a time that doubles with each further one; 0 sets no limit. The loopback address is exempt.',
      fallback: '10',
      ...within(0, 1_000_000),
    },
  },
} as const satisfies Settings;

/** What the settings say about callers, where one setting needs another. */
export interface AccessSettings {
  /** Addresses and networks of proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
  /** The files for TLS; plain HTTP without them. */
  readonly tls?: TlsFiles;
  /** True when stored policies decide about writes. */
  readonly policyMode: 'off' | 'on';
  /** Whether AI assistants get tools that write. */
  readonly assistantWrites: 'off' | 'on';
  /** Users whom a trusted proxy names; without it no header names a user. */
  readonly proxyUsers?: Pick<ProxyUserOptions, 'header' | 'scopes'>;
  /** How tokens of an identity provider are verified; without it there are none. */
  readonly jwt?: Omit<JwtOptions, 'urnNamespace'>;
  /** How people sign in in a browser; without it they cannot. */
  readonly signIn?: SignInSettings;
}

export interface SignInSettings extends Pick<
  IdentityProviderOptions,
  'clientId' | 'clientSecret' | 'scope' | 'redirectUrl'
> {
  readonly sessionMs: number;
}

/** **Errors**: `InvalidSettingError` when a setting lacks another one that it needs. */
export function resolveAccess({
  access,
  jwt,
  signIn,
  process: { profile, baseUrl },
  policiesAndTls,
}: {
  readonly access: ValuesOf<typeof ACCESS & typeof PROXIES>;
  readonly jwt: ValuesOf<typeof JWT>;
  readonly signIn: ValuesOf<typeof SIGN_IN>;
  readonly process: Pick<ValuesOf<typeof PROCESS>, 'profile' | 'baseUrl'>;
  readonly policiesAndTls: ValuesOf<typeof POLICIES_AND_TLS>;
}): AccessSettings {
  const { auth, trustedProxies = [] } = access;
  const { policyMode, assistantWrites, certificateFile, keyFile } = policiesAndTls;
  // Policies are about users, and only the mode `all` knows the user of every call.
  if (policyMode === 'on' && auth !== 'all')
    throw new InvalidSettingError(`STRATALOG_AUTH is "${auth}"; allowed with STRATALOG_POLICIES "on": all`);
  // The app that serves the tools does not serve the writes.
  if (assistantWrites === 'on' && profile === 'distributed' && baseUrl === undefined)
    throw new InvalidSettingError('STRATALOG_BASE_URL is not set; STRATALOG_MCP_WRITES needs it');
  const tls = requirePair(POLICIES_AND_TLS, { certificateFile, keyFile });
  const { issuer, audience, ...others } = jwt;
  const provider = requirePair(JWT, { issuer, audience });
  return {
    trustedProxies,
    policyMode,
    assistantWrites,
    ...(tls === undefined ? {} : { tls }),
    ...(provider === undefined ? {} : { jwt: { ...others, ...provider } }),
    ...resolveProxyUsers(access),
    ...resolveSignIn(signIn, { issuer, baseUrl }),
  };
}

function resolveSignIn(
  { clientId, ...others }: ValuesOf<typeof SIGN_IN>,
  { issuer, baseUrl }: { readonly issuer: string | undefined; readonly baseUrl: string | undefined },
): Pick<AccessSettings, 'signIn'> {
  if (clientId === undefined) return {};
  if (issuer === undefined || baseUrl === undefined) {
    const missing = issuer === undefined ? 'STRATALOG_JWT_ISSUER' : 'STRATALOG_BASE_URL';
    throw new InvalidSettingError(`${missing} is not set; STRATALOG_OIDC_CLIENT_ID needs it`);
  }
  return {
    signIn: { ...others, clientId, redirectUrl: `${baseUrl.replace(/\/$/, '')}/session/callback` },
  };
}

function resolveProxyUsers({
  header,
  scopes,
  trustedProxies,
}: ValuesOf<typeof PROXIES>): Pick<AccessSettings, 'proxyUsers'> {
  if (header === undefined) return {};
  if (trustedProxies === undefined) {
    throw new InvalidSettingError(
      'STRATALOG_TRUSTED_PROXIES is not set; STRATALOG_PROXY_USER_HEADER needs it',
    );
  }
  return { proxyUsers: { header, scopes } };
}

/** Two settings of which none has a meaning without the other. */
function requirePair<const K extends string>(
  group: Readonly<Record<NoInfer<K>, Setting>>,
  values: Readonly<Record<K, string | undefined>>,
): Readonly<Record<K, string>> | undefined {
  const keys = Object.keys(values) as K[];
  const missing = keys.filter((key) => values[key] === undefined);
  if (missing.length === keys.length) return undefined;
  for (const key of missing) {
    const given = keys.find((other) => !missing.includes(other)) ?? key;
    throw new InvalidSettingError(`${group[key].name} is not set; ${group[given].name} needs it`);
  }
  return values as Readonly<Record<K, string>>;
}
