import type { IncomingMessage } from 'node:http';
import { ForbiddenError, UnauthenticatedError, type Scope } from '@stratalog/domain';
import type { VerifiedPrincipal } from '../authenticator';
import { MAX_NAME_LENGTH, toUserUrn } from './to-user-urn';
import { TrustedNetworks, toPlainAddress } from './trusted-networks';

/** In the distributed profile the catalog's own proxy passes the name of a user to the apps under this name, and never passes on a client's. */
export const RELAYED_USER_HEADER = 'x-stratalog-proxy-user';

export interface ProxyUserOptions {
  /** The header that names the user, in lower case. */
  readonly header: string;
  /** Addresses and networks of the proxies that may set it. */
  readonly proxies: readonly string[];
  readonly scopes: readonly Scope[];
  readonly urnNamespace: string;
}

type Sent = Pick<IncomingMessage, 'headers'> & {
  readonly socket: { readonly remoteAddress?: string | undefined };
};

/** Printable ASCII without a comma, which joins the values of a repeated header. */
const NAME = /^[\x20-\x2b\x2d-\x7e]+$/;

/** Recognizes users whom a trusted proxy has authenticated, by a certificate for instance, and names in a header. */
export class ProxyUsers {
  private readonly trusted: TrustedNetworks;

  constructor(private readonly options: Pick<ProxyUserOptions, 'header' | 'proxies'>) {
    this.trusted = new TrustedNetworks(options.proxies);
  }

  /**
   * Returns the name of the user; `undefined` without the header, or when it is empty: so proxies say that they know none.
   *
   * **Errors**: `ForbiddenError` for a header from an address that is no trusted proxy; `UnauthenticatedError` for a header that names no single user.
   */
  readName({ headers, socket }: Sent): string | undefined {
    const { header } = this.options;
    const sent = headers[header];
    if (sent === undefined) return undefined;
    if (!this.trusted.covers(socket.remoteAddress)) {
      throw new ForbiddenError(
        `The header ${header} is accepted from trusted proxies only; this call came from ${toPlainAddress(socket.remoteAddress ?? 'an unknown address')}`,
      );
    }
    if (sent === '') return undefined;
    if (typeof sent === 'string' && NAME.test(sent)) return sent;
    throw noUser(header);
  }
}

/**
 * A user whom a trusted proxy names has the scopes of the settings, no limits, and speaks for no other.
 *
 * **Errors**: `UnauthenticatedError` for a name that no urn can hold.
 */
export function toProxyUser(
  name: string,
  { header, scopes, urnNamespace }: ProxyUserOptions,
): VerifiedPrincipal {
  const actor = toUserUrn(name, urnNamespace);
  if (actor === undefined) throw noUser(header);
  return {
    kind: 'user',
    id: `user:${name}`,
    name,
    actor,
    scopes: new Set(scopes),
    limits: {},
    speaksForOthers: false,
  };
}

function noUser(header: string): UnauthenticatedError {
  return new UnauthenticatedError(
    `The header ${header} names no single user: up to ${String(MAX_NAME_LENGTH)} printable characters without a comma, and not admin, unknown or __datahub_…`,
  );
}
