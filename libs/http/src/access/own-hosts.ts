import { BlockList, type Server } from 'node:net';
import { ForbiddenError } from '@stratalog/domain';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');
/** A name or an address, with an optional port. */
const HOST = /^(?:\[[\da-f:.]+\]|[^\s[\]/\\?#@:]+)(?::\d*)?$/i;
/** `URL` puts IPv6 addresses in brackets. */
const BRACKETS = /^\[(.*)\]$/;

type ListeningServer = Pick<Server, 'address'>;

/**
 * The host names of a server that listens on the loopback address only: `localhost`, the loopback addresses
 * in any notation, and the host of the public address. A page can make its own name resolve to the loopback
 * address (DNS rebinding). The browser then treats page and catalog as one site, but still sends the page's
 * name as `Host`. This class rejects that name.
 *
 * A request without `Host` comes from no browser and passes. Ports do not matter: tunnels change them.
 */
export class OwnHosts {
  private readonly baseHost: string | undefined;
  /** True when a server that listens does so on other addresses too. It is asked once: every request passes here. */
  private readonly openServers = new WeakMap<ListeningServer, boolean>();
  /** The last `Host` that passed: most clients send the same one. */
  private lastOwn: string | undefined;

  constructor(
    /** The address that clients use, where it differs from that of the process. */
    baseUrl: string | undefined,
  ) {
    this.baseHost = baseUrl === undefined ? undefined : hostIn(new URL(baseUrl).host);
  }

  /**
   * `server` is the one that has received the request.
   *
   * **Errors**: `ForbiddenError` that names the header and the setting.
   */
  rejectCrossSite(host: string | undefined, server: ListeningServer): void {
    if (host === undefined || host === this.lastOwn || this.isOpen(server)) return;
    if (this.has(host)) {
      this.lastOwn = host;
      return;
    }
    throw new ForbiddenError(
      `Host: ${host.slice(0, 200)} is not a name of this server, which listens on the loopback address only: call it by localhost, 127.0.0.1 or [::1], or name the host in STRATALOG_BASE_URL`,
    );
  }

  private isOpen(server: ListeningServer): boolean {
    const known = this.openServers.get(server);
    if (known !== undefined) return known;
    const address = server.address();
    const isOpen = typeof address !== 'object' || address === null || !isLoopback(address.address);
    if (address !== null) this.openServers.set(server, isOpen);
    return isOpen;
  }

  private has(host: string): boolean {
    const name = hostIn(host);
    if (name === undefined) return false;
    return name === 'localhost' || name === this.baseHost || isLoopback(name.replace(BRACKETS, '$1'));
  }
}

/** Returns the name in a `Host` header in the one normalized notation. */
function hostIn(header: string): string | undefined {
  if (!HOST.test(header)) return undefined;
  return URL.parse(`http://${header}`)?.hostname.replace(/\.$/, '');
}

/** True when an address can be reached by programs of this machine only. */
export function isLoopback(address: string): boolean {
  const family = address.includes(':') ? 'ipv6' : 'ipv4';
  return LOOPBACK.check(address, family);
}
