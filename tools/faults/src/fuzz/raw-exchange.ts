import { connect, type Socket } from 'node:net';
import type { HostileSend } from './hostile-requests';

interface RawAnswer {
  readonly status: number;
  /** Its head, and the part of its body that had arrived by the next event. */
  readonly text: string;
}

export interface Exchanged {
  readonly answers: readonly RawAnswer[];
  /** The event that replaced an expected answer. */
  readonly lacks?: 'time' | 'closed';
}

/** Above every timeout of the catalog. */
const ANSWER_LIMIT_MS = 30_000;
/** How long a client waits when the number of requests is unclear. */
const LOOK_MS = 60;
/** A whole head. JSON and pages hold no line of this form, so it is a head wherever it stands. */
const HEAD = /HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n/g;

/** Connections to the catalog, one at a time, each reused while possible. */
export class RawClient {
  private socket: Socket | undefined;

  constructor(private readonly port: number) {}

  /** Sends, and returns the answers. A connection that ended before its reuse is replaced once. */
  async exchange(send: HostileSend): Promise<Exchanged> {
    const isUsed = this.socket !== undefined;
    const exchanged = await this.over((this.socket ??= this.connected()), send);
    const mustEnd = exchanged.lacks !== undefined || send.then !== 'wait' || saysClose(exchanged);
    if (mustEnd) this.close();
    const isStale = isUsed && exchanged.lacks === 'closed' && exchanged.answers.length === 0;
    return isStale ? this.exchange(send) : exchanged;
  }

  /** Closes at once: outstanding answers meet a closed connection. */
  close(): void {
    this.socket?.resetAndDestroy();
    this.socket = undefined;
  }

  private connected(): Socket {
    const socket = connect({ port: this.port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
    // The catalog may end it between two exchanges, when no listener is attached: for example, the bytes
    // after an early answer were no body.
    const forget = (): void => {
      if (this.socket === socket) this.close();
    };
    // An error matters only because the connection closes.
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

/** Final answers, without `100 Continue`. */
function answersIn(text: string): readonly RawAnswer[] {
  return [...text.matchAll(HEAD)]
    .map(({ 1: status, index }) => ({ status: Number(status), text: text.slice(index) }))
    .filter(({ status }) => status >= 200);
}

function saysClose({ answers }: Exchanged): boolean {
  return answers.some(({ text }) => /\r\nconnection: close\r\n/i.test(text));
}
