import { resolve } from 'node:path';
import type { JwtOptions, LimitOptions, ProxyUserOptions, TlsFiles } from '@stratalog/http';
import { InvalidSettingError, SCOPES } from '@stratalog/model';
import { parseScopeRules } from './scope-rules';
import type { GivenSettings } from './setting-kinds';

/** The settings that decide about callers. */
export interface AccessSettings {
  /** Addresses and networks of proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
  /** The files for TLS; plain HTTP without them. */
  readonly tls?: TlsFiles;
  /** Limits for the calls of one caller. */
  readonly limits: Pick<LimitOptions, 'readsPerSecond' | 'writesPerSecond' | 'maxFailedTokens'>;
  /** True when stored policies decide about writes. */
  readonly policyMode: 'off' | 'on';
  /** Users whom a trusted proxy names; without it no header names a user. */
  readonly proxyUsers?: Pick<ProxyUserOptions, 'header' | 'scopes'>;
  /** How tokens of an identity provider are verified; without it there are none. */
  readonly jwt?: Omit<JwtOptions, 'urnNamespace'>;
}

/** **Errors**: `InvalidSettingError` when a setting lacks another one that it needs. */
export function resolveAccess(given: GivenSettings): AccessSettings {
  const number = (name: string): number => Number(given.get(name));
  return {
    trustedProxies: given.get('STRATALOG_TRUSTED_PROXIES')?.split(',') ?? [],
    limits: {
      readsPerSecond: number('STRATALOG_READS_PER_SECOND'),
      writesPerSecond: number('STRATALOG_WRITES_PER_SECOND'),
      maxFailedTokens: number('STRATALOG_MAX_FAILED_TOKENS'),
    },
    policyMode: resolvePolicyMode(given),
    ...resolveTls(given),
    ...resolveJwt(given),
    ...resolveProxyUsers(given),
  };
}

/** Policies are about users, and only the mode `all` knows the user of every call. */
function resolvePolicyMode(given: GivenSettings): AccessSettings['policyMode'] {
  if (given.get('STRATALOG_POLICIES') !== 'on') return 'off';
  const auth = given.get('STRATALOG_AUTH') ?? '';
  if (auth === 'all') return 'on';
  throw new InvalidSettingError(`STRATALOG_AUTH is "${auth}"; allowed with STRATALOG_POLICIES "on": all`);
}

function resolveTls(given: GivenSettings): Pick<AccessSettings, 'tls'> {
  const pair = resolvePair(given, 'STRATALOG_TLS_CERT_FILE', 'STRATALOG_TLS_KEY_FILE');
  return pair === undefined ? {} : { tls: { certificateFile: resolve(pair[0]), keyFile: resolve(pair[1]) } };
}

function resolveJwt(given: GivenSettings): Pick<AccessSettings, 'jwt'> {
  const pair = resolvePair(given, 'STRATALOG_JWT_ISSUER', 'STRATALOG_JWT_AUDIENCE');
  if (pair === undefined) return {};
  const [issuer, audience] = pair;
  const keysUrl = given.get('STRATALOG_JWT_KEYS_URL');
  return {
    jwt: {
      issuer,
      audience,
      ...(keysUrl === undefined ? {} : { keysUrl }),
      algorithms: given.get('STRATALOG_JWT_ALGORITHMS')?.split(',') ?? [],
      clockToleranceSeconds: Number(given.get('STRATALOG_JWT_CLOCK_TOLERANCE_SECONDS')),
      actorClaim: given.get('STRATALOG_JWT_ACTOR_CLAIM') ?? '',
      scopeRules: parseScopeRules(given.get('STRATALOG_JWT_SCOPES') ?? '') ?? [],
    },
  };
}

function resolveProxyUsers(given: GivenSettings): Pick<AccessSettings, 'proxyUsers'> {
  const header = given.get('STRATALOG_PROXY_USER_HEADER');
  if (header === undefined) return {};
  if (given.get('STRATALOG_TRUSTED_PROXIES') === undefined) {
    throw new InvalidSettingError(
      'STRATALOG_TRUSTED_PROXIES is not set; STRATALOG_PROXY_USER_HEADER needs it',
    );
  }
  const names = given.get('STRATALOG_PROXY_USER_SCOPES')?.split(',') ?? [];
  return {
    proxyUsers: { header: header.toLowerCase(), scopes: SCOPES.filter((scope) => names.includes(scope)) },
  };
}

/** Two settings of which none has a meaning without the other. */
function resolvePair(
  given: GivenSettings,
  one: string,
  other: string,
): readonly [string, string] | undefined {
  const [first, second] = [given.get(one), given.get(other)];
  if (first === undefined && second === undefined) return undefined;
  if (first === undefined) throw new InvalidSettingError(`${one} is not set; ${other} needs it`);
  if (second === undefined) throw new InvalidSettingError(`${other} is not set; ${one} needs it`);
  return [first, second];
}
