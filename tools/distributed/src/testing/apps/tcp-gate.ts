import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { freePort } from '@stratalog/local-stack';

/** An address that refuses connections until it is opened; then it forwards to `target`. */
export class TcpGate {
  private readonly sockets = new Set<Socket>();
  private readonly server = createServer((socket) => {
    const [host = '', port = ''] = this.target.split(':');
    const onward = connect(Number(port), host);
    for (const each of [socket, onward]) {
      this.sockets.add(each);
      each.on('close', () => this.sockets.delete(each));
      each.on('error', () => {
        socket.destroy();
        onward.destroy();
      });
    }
    socket.pipe(onward).pipe(socket);
  });

  private constructor(
    private readonly target: string,
    private readonly port: number,
  ) {}

  /** `target` is `host:port`. */
  static async closed(target: string): Promise<TcpGate> {
    return new TcpGate(target, await freePort());
  }

  get address(): string {
    return `127.0.0.1:${String(this.port)}`;
  }

  async open(): Promise<void> {
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    if (!this.server.listening) return;
    const closed = once(this.server, 'close');
    this.server.close();
    await closed;
  }
}
