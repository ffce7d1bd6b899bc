import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { toNetwork } from '../access/caller-network';
import { TrustedNetworks, toPlainAddress } from '../access/users/trusted-networks';
import { usesTls } from './tls-certificate';

export interface ConnectionLimits {
  /** Most connections of one process. */
  readonly max: number;
  /** Most connections of one network, which a trusted proxy may exceed. */
  readonly maxOfNetwork: number;
  /** So many of the places of `max` are for networks with fewer than `few` connections. */
  readonly kept: number;
  readonly few: number;
}

/**
 * A process has far more places than client pools open, and few enough that buffers and file handles do no harm. Four networks
 * together fill them at the earliest. A health probe needs one of the kept ones.
 */
const LIMITS: ConnectionLimits = { max: 4_096, maxOfNetwork: 1_024, kept: 64, few: 8 };

/** The connections of one network, or of all; the set has the idle ones, longest idle first. */
interface Group {
  count: number;
  readonly idle: Set<Connection>;
}

interface Connection {
  socket: Socket;
  readonly network: string;
  readonly groups: readonly Group[];
  requests: number;
  isOpen: boolean;
}

/**
 * Limits the connections of a server, so that whoever opens many and sends nothing keeps nobody else out.
 *
 * A connection without a request in progress is idle. A new connection beyond the limit of its network, or of the process, takes the
 * place of the one that has been idle longest there; where none is idle it is closed at once.
 */
export function limitConnections(
  server: Server,
  trustedProxies: readonly string[],
  limits: ConnectionLimits = LIMITS,
): void {
  const connections = new Connections(new TrustedNetworks(trustedProxies), limits);
  server.on('connection', (socket: Socket) => {
    if (!connections.admit(socket)) socket.destroy();
  });
  if (usesTls(server)) {
    server.on('secureConnection', (socket) => {
      connections.secure(socket);
    });
  }
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    connections.begin(socket, response);
  });
}

class Connections {
  private readonly all: Group = { count: 0, idle: new Set() };
  private readonly networks = new Map<string, Group>();
  private readonly bySocket = new WeakMap<Socket, Connection>();
  /** Connections by their two ends, which the socket of TLS shares with the one below it. */
  private readonly byEnds = new Map<string, Connection>();

  constructor(
    private readonly trusted: TrustedNetworks,
    private readonly limits: ConnectionLimits,
  ) {}

  /** Counts a connection until it is closed; false when there is no place for it. */
  admit(socket: Socket): boolean {
    const { remoteAddress } = socket;
    // Closed before it was accepted.
    if (remoteAddress === undefined) return false;
    const { max, maxOfNetwork, kept, few } = this.limits;
    const network = toNetwork(toPlainAddress(remoteAddress));
    const own = this.networks.get(network) ?? { count: 0, idle: new Set() };
    const isLimited = !this.trusted.covers(remoteAddress);
    if (isLimited && own.count >= maxOfNetwork && !this.closeLongestIdle(own)) return false;
    const places = own.count < few ? max : max - kept;
    if (this.all.count >= places && !this.closeLongestIdle(this.all)) return false;
    this.networks.set(network, own);
    this.add({ socket, network, groups: [own, this.all], requests: 0, isOpen: true });
    return true;
  }

  /** Notes the socket of TLS, which is the one that requests have. */
  secure(socket: Socket): void {
    const connection = this.byEnds.get(endsOf(socket));
    if (connection === undefined) return;
    connection.socket = socket;
    this.bySocket.set(socket, connection);
  }

  /** Notes a request until it is answered. One that was parsed by hand has no connection. */
  begin(socket: Socket, response: ServerResponse): void {
    const connection = this.bySocket.get(socket);
    if (connection === undefined) return;
    connection.requests += 1;
    for (const { idle } of connection.groups) idle.delete(connection);
    response.once('close', () => {
      connection.requests -= 1;
      if (connection.requests === 0 && connection.isOpen) {
        for (const { idle } of connection.groups) idle.add(connection);
      }
    });
  }

  private add(connection: Connection): void {
    const { socket, groups } = connection;
    const ends = endsOf(socket);
    this.bySocket.set(socket, connection);
    this.byEnds.set(ends, connection);
    for (const group of groups) {
      group.count += 1;
      group.idle.add(connection);
    }
    socket.once('close', () => {
      this.remove(connection);
      if (this.byEnds.get(ends) === connection) this.byEnds.delete(ends);
    });
  }

  private closeLongestIdle({ idle }: Group): boolean {
    const [connection] = idle;
    if (connection === undefined) return false;
    // Its place is free now, not only when the close is reported.
    this.remove(connection);
    connection.socket.destroy();
    return true;
  }

  private remove(connection: Connection): void {
    if (!connection.isOpen) return;
    connection.isOpen = false;
    for (const group of connection.groups) {
      group.count -= 1;
      group.idle.delete(connection);
    }
    const { network } = connection;
    if (this.networks.get(network)?.count === 0) this.networks.delete(network);
  }
}

function endsOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string {
  return [remoteAddress, remotePort, localAddress, localPort].join(' ');
}
