import { Agent as HttpAgent, type AgentOptions } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Duplex } from 'node:stream';

/** No connection came about: the instance has seen nothing of the request, and the request has sent nothing of its body. */
export class UnreachableError extends Error {}

const OPTIONS: AgentOptions = { keepAlive: true, maxSockets: 256, maxFreeSockets: 64 };
const CONNECT_TIMEOUT_MS = 3_000;

type Opened = (error: Error | null, socket: Duplex) => void;

/**
 * Returns the pool of connections to one address of `target`. A request gets its connection once that stands, so that one that cannot be
 * opened leaves the body unread.
 *
 * **Errors**: a request whose connection cannot be opened fails with `UnreachableError`.
 */
export function agentOf(target: URL, address: string): HttpAgent {
  const isTls = target.protocol === 'https:';
  const agent = isTls ? new HttpsAgent(OPTIONS) : new HttpAgent(OPTIONS);
  agent.createConnection = (options: object, opened?: Opened) => {
    const at = { ...options, host: address, port: portOf(target) };
    const socket = isTls ? connectTls(at) : connect(at);
    const settle = (error?: Error): void => {
      clearTimeout(timer);
      socket.off('error', settle);
      socket.off(isTls ? 'secureConnect' : 'connect', stand);
      if (error === undefined) opened?.(null, socket);
      else opened?.(new UnreachableError(error.message, { cause: error }), socket);
    };
    const stand = (): void => {
      settle();
    };
    const timer = setTimeout(() => {
      socket.destroy(new Error(`${target.host} took no connection in ${String(CONNECT_TIMEOUT_MS)} ms`));
    }, CONNECT_TIMEOUT_MS);
    socket.once('error', settle);
    socket.once(isTls ? 'secureConnect' : 'connect', stand);
    return undefined;
  };
  return agent;
}

function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}
