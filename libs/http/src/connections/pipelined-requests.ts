import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * The limit for requests of one connection that are under way at once. Clients that do not wait for answers
 * send few ahead.
 */
const MAX_UNDER_WAY = 8;

/**
 * Queues pipelined requests of one connection, and reads no further ones meanwhile. Otherwise a single client
 * could have any number of them in memory, and a packet of a thousand would block the event loop.
 */
export class PipelinedRequests {
  private readonly lines = new WeakMap<Socket, Line>();
  private readonly started = new WeakSet<ServerResponse>();

  /**
   * Calls `begin` when it is the turn of the request: at once, unless many of its connection wait for
   * answers.
   */
  take({ socket }: IncomingMessage, response: ServerResponse, begin: () => void): void {
    // A tunnelled request is routed twice.
    if (this.started.has(response)) {
      begin();
      return;
    }
    this.started.add(response);
    const line = this.findLine(socket);
    const start = (): void => {
      response.once('close', () => {
        line.passOn();
      });
      begin();
    };
    line.take(start);
  }

  private findLine(socket: Socket): Line {
    const known = this.lines.get(socket);
    if (known !== undefined) return known;
    const line = new Line(socket);
    this.lines.set(socket, line);
    return line;
  }
}

/** The requests of one connection. */
class Line {
  private underWay = 0;
  private readonly waiting: (() => void)[] = [];
  private isListening = false;

  constructor(private readonly socket: Socket) {}

  take(start: () => void): void {
    if (this.underWay < MAX_UNDER_WAY) {
      this.underWay++;
      start();
      return;
    }
    this.waiting.push(start);
    this.hold();
  }

  passOn(): void {
    // The client has disconnected, so the others have no recipient.
    if (this.socket.destroyed) this.waiting.length = 0;
    const start = this.waiting.shift();
    if (start === undefined) {
      this.underWay--;
      return;
    }
    // Yields to the event loop: synchronous answers would otherwise follow one another without a pause.
    setImmediate(start);
    if (this.waiting.length === 0) this.socket.resume();
  }

  /** Stops reading from the connection; a route that reads or discards a body resumes it. */
  private hold(): void {
    this.socket.pause();
    if (this.isListening) return;
    this.isListening = true;
    this.socket.on('resume', () => {
      if (this.waiting.length > 0) this.socket.pause();
    });
  }
}
