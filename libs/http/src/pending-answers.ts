import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The answers that are under way on each connection, so that what is said besides them comes behind them. */
export class PendingAnswers {
  private readonly onSocket = new WeakMap<Socket, Set<ServerResponse>>();

  watch(server: Server): void {
    const note = (request: IncomingMessage, response: ServerResponse): void => {
      this.note(request.socket, response);
    };
    server.prependListener('request', note).prependListener('checkExpectation', note);
  }

  /**
   * Resolves once all requests that have come whole on the connection are answered, or it is closed. One that broke off is not waited for:
   * it will never be whole.
   */
  async sent(socket: Socket): Promise<void> {
    const whole = [...(this.onSocket.get(socket) ?? [])].filter(({ req }) => req.complete);
    await Promise.all(
      whole.map(
        (response) =>
          new Promise<void>((resolve) => {
            response.once('close', resolve);
          }),
      ),
    );
  }

  private note(socket: Socket, response: ServerResponse): void {
    const responses = this.onSocket.get(socket) ?? new Set();
    this.onSocket.set(socket, responses.add(response));
    response.once('close', () => responses.delete(response));
  }
}
