import type { IncomingMessage } from 'node:http';
import { ProxyUsers, RELAYED_USER_HEADER } from '@stratalog/http';

/** How the proxy knows users: the header that names them, in lower case, and the proxies in front of it that may set it. */
export interface RelayedUsers {
  readonly header: string;
  readonly proxies: readonly string[];
}

/**
 * Returns a function that passes the user of a request on to the apps, which trust this proxy. The name that a client gives itself never
 * passes, with or without the settings.
 *
 * **Errors** of the function: those of {@link ProxyUsers.readName}.
 */
export function relayUsers(options: RelayedUsers | undefined): (request: IncomingMessage) => void {
  const users = options === undefined ? undefined : new ProxyUsers(options);
  return (request) => {
    const { headers } = request;
    Reflect.deleteProperty(headers, RELAYED_USER_HEADER);
    const name = users?.readName(request);
    if (name !== undefined) headers[RELAYED_USER_HEADER] = name;
  };
}
