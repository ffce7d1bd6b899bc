import type { HostileSend } from './hostile-requests';
import type { Exchanged } from './raw-exchange';

/** A forbidden answer, once for each status and message. */
export interface ServerError {
  readonly status: number;
  readonly message: string;
  count: number;
  /**
   * The first request with this answer; for several requests in one send, all of them. As latin1, shortened.
   */
  readonly request: string;
}

/** Complete requests without an answer: the connection was closed, or it took too long. */
export interface Unanswered {
  closed: number;
  time: number;
  /** The first of them, as latin1, shortened. */
  readonly requests: string[];
}

const MOST_ERRORS = 50;
const MOST_UNANSWERED = 5;
const MOST_REQUEST = 2_000;
const MOST_MESSAGE = 300;

/** The requests sent to the catalog under test, and their answers. */
export class FuzzBook {
  sent = 0;
  readonly answers: Record<string, number> = {};
  readonly unanswered: Unanswered = { closed: 0, time: 0, requests: [] };
  private readonly errors = new Map<string, ServerError>();
  private claimed = 0;

  constructor(
    readonly requests: number,
    private readonly onSent: (sent: number) => void,
  ) {}

  /** The number of requests that are still to be claimed. */
  get left(): number {
    return this.requests - this.claimed;
  }

  get serverErrors(): readonly ServerError[] {
    return [...this.errors.values()];
  }

  claim(requests: number): void {
    this.claimed += requests;
  }

  exchanged(send: HostileSend, { answers, lacks }: Exchanged): void {
    for (const { status, text } of answers) {
      const statusClass = `${String(status)[0] ?? '?'}xx`;
      this.answers[statusClass] = (this.answers[statusClass] ?? 0) + 1;
      if (status >= 500) this.countError(send, status, text);
    }
    if (lacks !== undefined && send.then === 'wait') this.countUnanswered(send, lacks);
    for (let at = 0; at < send.requests; at++) this.onSent(++this.sent);
  }

  private countUnanswered(send: HostileSend, lacks: 'closed' | 'time'): void {
    this.unanswered[lacks]++;
    const { requests } = this.unanswered;
    if (requests.length < MOST_UNANSWERED) requests.push(shortened(send));
  }

  private countError(send: HostileSend, status: number, text: string): void {
    const body = text.slice(text.indexOf('\r\n\r\n') + 4);
    const message = body.replace(/\d+/g, '0').slice(0, MOST_MESSAGE);
    const key = `${status} ${message}`;
    const known = this.errors.get(key);
    if (known !== undefined) known.count++;
    else if (this.errors.size < MOST_ERRORS) {
      this.errors.set(key, { status, message, count: 1, request: shortened(send) });
    }
  }
}

function shortened({ bytes }: HostileSend): string {
  return bytes.toString('latin1').slice(0, MOST_REQUEST);
}
