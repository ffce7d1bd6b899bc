import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { usesTls } from './tls-certificate';

/**
 * Knows the connections of a server that have sent no request yet. Browsers and connection pools open them ahead, and a server that closes
 * waits for each as for a request that is on its way: up to its time limit.
 */
export class SilentConnections {
  private readonly sockets = new Set<Socket>();

  constructor(server: Pick<Server, 'on'>) {
    server.on(usesTls(server) ? 'secureConnection' : 'connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.once('close', () => {
        this.sockets.delete(socket);
      });
    });
    server.on('request', ({ socket }: IncomingMessage) => {
      this.sockets.delete(socket);
    });
  }

  /** Ends the connections that are silent now. */
  end(): void {
    for (const socket of this.sockets) socket.destroy();
  }
}
