import { connect, type Socket } from 'node:net';
import type { HostileSend } from './hostile-requests';

export interface RawAnswer {
  readonly status: number;
  /** Its head, and what had come of its body when the next thing happened. */
  readonly text: string;
}

export interface Exchanged {
  readonly answers: readonly RawAnswer[];
  /** What came instead of the answers that were waited for. */
  readonly lacks?: 'time' | 'closed';
}

/** Above every timeout of the catalog. */
const ANSWER_LIMIT_MS = 30_000;
/** How long a client looks at what nobody can say of whether it is a request. */
const LOOK_MS = 60;
/** A whole head. JSON and pages hold no line of this form, so it is a head wherever it stands. */
const HEAD = /HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n/g;

/** Connections to the catalog, one at a time, each used again while it can be. */
export class RawClient {
  private socket: Socket | undefined;

  constructor(private readonly port: number) {}

  /** Sends, and answers what came back. A connection that ended before it was used again is replaced once. */
  async exchange(send: HostileSend): Promise<Exchanged> {
    const isUsed = this.socket !== undefined;
    const exchanged = await this.over((this.socket ??= this.connected()), send);
    const mustEnd = exchanged.lacks !== undefined || send.then !== 'wait' || saysClose(exchanged);
    if (mustEnd) this.close();
    const isStale = isUsed && exchanged.lacks === 'closed' && exchanged.answers.length === 0;
    return isStale ? this.exchange(send) : exchanged;
  }

  /** At once: what was not answered yet meets a connection that is gone. */
  close(): void {
    this.socket?.resetAndDestroy();
    this.socket = undefined;
  }

  private connected(): Socket {
    const socket = connect({ port: this.port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
    // The catalog may end it between two exchanges, when nobody listens: what followed an early answer was no body, say.
    const forget = (): void => {
      if (this.socket === socket) this.close();
    };
    // What matters of an error is that the connection closes.
    return socket
      .on('error', () => undefined)
      .on('end', forget)
      .on('close', forget);
  }

  private over(socket: Socket, send: HostileSend): Promise<Exchanged> {
    return new Promise((resolve) => {
      let text = '';
      const done = (lacks?: 'time' | 'closed'): void => {
        clearTimeout(timer);
        socket.off('data', onData).off('close', onClosed).off('end', onClosed);
        resolve({ answers: answersIn(text), ...(lacks === undefined ? {} : { lacks }) });
      };
      const onData = (chunk: Buffer): void => {
        text += chunk.toString('latin1');
        if (answersIn(text).length >= send.requests) done();
      };
      const onClosed = (): void => {
        done('closed');
      };
      const limitMs = send.then === 'wait' ? ANSWER_LIMIT_MS : LOOK_MS;
      const timer = setTimeout(done, limitMs, 'time');
      socket.on('data', onData).on('close', onClosed).on('end', onClosed);
      socket.write(send.bytes, () => {
        if (send.then === 'reset') done();
        if (send.then === 'half-close') socket.end();
      });
    });
  }
}

/** Final answers: a `100 Continue` is none. */
export function answersIn(text: string): readonly RawAnswer[] {
  return [...text.matchAll(HEAD)]
    .map(({ 1: status, index }) => ({ status: Number(status), text: text.slice(index) }))
    .filter(({ status }) => status >= 200);
}

function saysClose({ answers }: Exchanged): boolean {
  return answers.some(({ text }) => /\r\nconnection: close\r\n/i.test(text));
}
