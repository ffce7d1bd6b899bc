import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** So many requests of one connection are under way at once. Clients that do not wait for answers send few ahead. */
const MAX_UNDER_WAY = 8;

/**
 * Lets requests that come on one connection without waiting for answers take turns, and reads no further ones meanwhile. Otherwise a single
 * client could have any number of them in memory, and a packet of a thousand would hold the event loop.
 */
export class PipelinedRequests {
  private readonly lines = new WeakMap<Socket, Line>();
  private readonly begun = new WeakSet<ServerResponse>();

  /** Calls `begin` when it is the turn of the request: at once, unless many of its connection wait for answers. */
  take({ socket }: IncomingMessage, response: ServerResponse, begin: () => void): void {
    // What came in a tunnel is routed twice.
    if (this.begun.has(response)) {
      begin();
      return;
    }
    this.begun.add(response);
    const line = this.lineOf(socket);
    const start = (): void => {
      response.once('close', () => {
        line.passOn();
      });
      begin();
    };
    line.take(start);
  }

  private lineOf(socket: Socket): Line {
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
    // Nobody is there any more to whom the others could be answered.
    if (this.socket.destroyed) this.waiting.length = 0;
    const start = this.waiting.shift();
    if (start === undefined) {
      this.underWay--;
      return;
    }
    // Answers that wait for nothing would otherwise follow one another without a turn of the event loop between them.
    setImmediate(start);
    if (this.waiting.length === 0) this.socket.resume();
  }

  /** Reads nothing more from the connection; whoever reads a body, or throws one away, has it read on. */
  private hold(): void {
    this.socket.pause();
    if (this.isListening) return;
    this.isListening = true;
    this.socket.on('resume', () => {
      if (this.waiting.length > 0) this.socket.pause();
    });
  }
}
