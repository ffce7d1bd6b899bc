import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { HttpConnection } from '../load/http-connection';

const SEARCH = /^\S+ \S*\/_search\b/;

/**
 * Passes bytes between a catalog and its engine, and keeps the searches among them, so that the engine can be asked the
 * same without the catalog. A client has one request under way on a connection.
 */
export class EngineTap {
  private readonly sockets = new Set<Socket>();
  private recorded: string[] | undefined;
  /** Passes the tap like the catalog's own connections, so that both pay for it. */
  private replays: HttpConnection | undefined;

  private constructor(
    private readonly server: Server,
    private readonly engine: URL,
  ) {
    server.on('connection', (client) => {
      this.pass(client);
    });
  }

  static async open(engineUrl: string): Promise<EngineTap> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new EngineTap(server, new URL(engineUrl));
  }

  /** The address for the catalog, instead of the engine's. */
  get url(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }

  /** Returns the searches that the engine received during `work`, as they were on the wire. */
  async record(work: () => Promise<unknown>): Promise<readonly string[]> {
    const recorded: string[] = [];
    this.recorded = recorded;
    try {
      await work();
    } finally {
      this.recorded = undefined;
    }
    return recorded;
  }

  /**
   * Sends the searches to the engine, one after another; returns their milliseconds together.
   *
   * **Errors**: rejects when the engine is not reachable, or rejects one.
   */
  async replay(searches: readonly string[]): Promise<number> {
    this.replays ??= await HttpConnection.open(this.url);
    const start = performance.now();
    for (const search of searches) {
      const { status, body } = await this.replays.exchange(search);
      if (status !== 200) throw new Error(`The engine answered ${String(status)}: ${body.slice(0, 500)}`);
    }
    return performance.now() - start;
  }

  async stop(): Promise<void> {
    this.replays?.close();
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private pass(client: Socket): void {
    const engine = connect({ host: this.engine.hostname, port: Number(this.engine.port) });
    let request: Buffer[] = [];
    client.on('data', (chunk: Buffer) => {
      if (this.recorded !== undefined) request.push(chunk);
    });
    engine.on('data', () => {
      if (request.length > 0) this.keep(Buffer.concat(request).toString('latin1'));
      request = [];
    });
    client.pipe(engine).pipe(client);
    for (const [socket, other] of [
      [client, engine],
      [engine, client],
    ] as const) {
      this.sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.sockets.delete(socket);
        other.destroy();
      });
    }
  }

  private keep(request: string): void {
    if (SEARCH.test(request)) this.recorded?.push(request);
  }
}
