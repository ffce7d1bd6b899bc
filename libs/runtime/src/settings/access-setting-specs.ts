import { isIP } from 'node:net';
import { SCOPES } from '@stratalog/model';
import { JWT_ALGORITHMS, isSafeAddress } from '@stratalog/http';
import { parseScopeRules } from './scope-rules';
import { among, text, within, type SettingSpec } from './setting-kinds';

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

/** The settings that decide about callers. */
export const ACCESS_SETTINGS: readonly SettingSpec[] = [
  {
    name: 'STRATALOG_TRUSTED_PROXIES',
    help: 'Proxies whose X-Forwarded-For names the address of a client, separated by ","; none unless set, and those of this machine in the distributed profile.',
    distributedFallback: 'loopback',
    allowed: 'addresses, networks like 10.0.0.0/8, or the words loopback, linklocal, uniquelocal',
    schema: text.refine((names) => names.split(',').every(isNetwork)),
  },
  {
    name: 'STRATALOG_PROXY_USER_HEADER',
    help: 'The header in which a trusted proxy names the user that it has authenticated, by a certificate for instance; needs STRATALOG_TRUSTED_PROXIES.',
    allowed: 'the name of a header that means nothing else, like X-Remote-User',
    schema: text.regex(/^[a-z][a-z\d-]{0,63}$/i).refine((name) => !MEANT_OTHERWISE.test(name)),
  },
  {
    name: 'STRATALOG_PROXY_USER_SCOPES',
    help: 'The scopes of users whom a trusted proxy names, separated by ",".',
    fallback: 'read',
    allowed: `some of ${SCOPES.join(', ')}`,
    schema: text.refine((names) => names.split(',').every((name) => SCOPES.some((known) => known === name))),
  },
  {
    name: 'STRATALOG_JWT_ISSUER',
    help: 'The identity provider whose tokens (JWT) are accepted, as its tokens name it; needs STRATALOG_JWT_AUDIENCE.',
    ...SAFE_ADDRESS,
  },
  {
    name: 'STRATALOG_JWT_AUDIENCE',
    help: 'The audience that a token must be for.',
    allowed: 'a name',
    schema: text,
  },
  {
    name: 'STRATALOG_JWT_KEYS_URL',
    help: "Address of the issuer's public keys (JWKS), when the issuer's own description does not name it.",
    ...SAFE_ADDRESS,
  },
  {
    name: 'STRATALOG_JWT_ALGORITHMS',
    help: 'Signatures that are accepted, separated by ",".',
    fallback: JWT_ALGORITHMS.join(','),
    allowed: `some of ${JWT_ALGORITHMS.join(', ')}`,
    schema: text.refine((names) =>
      names.split(',').every((name) => JWT_ALGORITHMS.some((known) => known === name)),
    ),
  },
  {
    name: 'STRATALOG_JWT_CLOCK_TOLERANCE_SECONDS',
    help: 'How far the clocks of issuer and catalog may differ.',
    fallback: '30',
    ...within(0, 600),
  },
  {
    name: 'STRATALOG_JWT_ACTOR_CLAIM',
    help: 'The claim that names the user of a token.',
    fallback: 'sub',
    allowed: 'the name of a claim, or a path with dots',
    schema: text,
  },
  {
    name: 'STRATALOG_JWT_SCOPES',
    help: 'Which claims give which scopes.',
    fallback: DEFAULT_SCOPES,
    allowed: `rules like "groups=engineers -> read,write; * -> read" with the scopes ${SCOPES.join(', ')}`,
    schema: text.refine((rules) => parseScopeRules(rules) !== undefined),
  },
  {
    name: 'STRATALOG_POLICIES',
    help: 'Whether the policies of the catalog (dataHubPolicy) decide who may write which aspects of which entities; needs STRATALOG_AUTH=all.',
    fallback: 'off',
    ...among(['off', 'on']),
  },
  {
    name: 'STRATALOG_TLS_CERT_FILE',
    help: 'PEM file with the certificate for TLS and those of its issuers; needs STRATALOG_TLS_KEY_FILE. Plain HTTP unless set.',
    allowed: 'a path',
    schema: text,
  },
  {
    name: 'STRATALOG_TLS_KEY_FILE',
    help: 'PEM file with the private key of the certificate, without a password.',
    allowed: 'a path',
    schema: text,
  },
  {
    name: 'STRATALOG_READS_PER_SECOND',
    help: 'Most reads of one caller, as an average over ten seconds, before a 429; 0 sets no limit.',
    fallback: '0',
    ...within(0, 1_000_000),
  },
  {
    name: 'STRATALOG_WRITES_PER_SECOND',
    help: 'Most writes of one caller, as an average over ten seconds, before a 429; 0 sets no limit.',
    fallback: '0',
    ...within(0, 1_000_000),
  },
  {
    name: 'STRATALOG_MAX_FAILED_TOKENS',
    help: 'Wrong tokens from one address before it is locked out, for a time that doubles with each further one; 0 sets no limit. The loopback address is exempt.',
    fallback: '10',
    ...within(0, 1_000_000),
  },
];
