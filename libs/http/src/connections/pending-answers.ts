import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The answers that are under way on each connection, so that a connection error is reported after them. */
export class PendingAnswers {
  private readonly onSocket = new WeakMap<Socket, Set<ServerResponse>>();

  watch(server: Server): void {
    const note = (request: IncomingMessage, response: ServerResponse): void => {
      this.note(request.socket, response);
    };
    server.prependListener('request', note).prependListener('checkExpectation', note);
  }

  /**
   * Resolves once all complete requests of the connection are answered, or it is closed. It does not wait for
   * an incomplete request, which will never be complete.
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
