import type { Answer, HttpConnection } from './http-connection';

/** Connections that take requests in order, each the next one as soon as it is free. */
export class ConnectionQueue {
  private readonly idle: HttpConnection[];
  private readonly waiting: ((connection: HttpConnection) => void)[] = [];

  constructor(connections: readonly HttpConnection[]) {
    this.idle = [...connections];
  }

  async exchange(request: string): Promise<Answer> {
    const connection =
      this.idle.pop() ?? (await new Promise<HttpConnection>((take) => this.waiting.push(take)));
    try {
      return await connection.exchange(request);
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.idle.push(connection);
      else next(connection);
    }
  }
}
