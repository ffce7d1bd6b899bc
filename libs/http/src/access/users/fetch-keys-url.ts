import { UnavailableError } from '@stratalog/domain';

/**
 * Returns the address of an issuer's public keys, by the description that the issuer publishes.
 *
 * **Errors**: `UnavailableError`.
 * **Source**: OpenID Connect Discovery 1.0, section 4.
 */
export async function fetchKeysUrl(issuer: string, limitMs: number): Promise<string> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const fail = (reason: string, cause?: unknown): never => {
    throw new UnavailableError(`The issuer of tokens cannot be asked for its keys: ${reason}`, { cause });
  };
  const description = await fetch(address, { signal: AbortSignal.timeout(limitMs), redirect: 'error' })
    .then((answer) => (answer.ok ? answer.json() : fail(`status ${String(answer.status)}`)))
    .catch((error: unknown) => fail('no description', error));
  const { issuer: named, jwks_uri: keysUrl } = description as { issuer?: unknown; jwks_uri?: unknown };
  if (named !== issuer) return fail('its description is that of another issuer');
  return typeof keysUrl === 'string' && isSafeAddress(keysUrl)
    ? keysUrl
    : fail('its description names no address of keys with https://');
}

/** True when an address is on this machine or uses TLS: keys that come over a network in the clear may be forged. */
export function isSafeAddress(text: string): boolean {
  const { protocol, hostname = '' } = URL.parse(text) ?? {};
  return (
    protocol === 'https:' ||
    (protocol === 'http:' && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname))
  );
}
