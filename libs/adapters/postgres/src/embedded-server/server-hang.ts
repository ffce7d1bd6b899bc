import { connect } from 'node:net';
import { pause } from '@stratalog/concurrency';
import { SUPERUSER } from './cluster';

/** Number of consecutive unanswered probes that count as a hang. */
const MAX_UNANSWERED = 6;
const PROTOCOL_3 = 196_608;
/** Errors that reveal nothing about the server: this process or machine has no connection left. */
const LOCAL_ERRORS: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL']);
/** SQLSTATE of a server that starts, recovers or stops. Messages are in English, by the server's settings. */
const CANNOT_CONNECT_NOW = 'C57P03\0';
const STOPPING = 'shutting down';

export interface HangOptions {
  /** On the loopback address. */
  readonly port: number;
  /** True while a process of the server replays the log. */
  readonly isRecovering: () => boolean;
  /** How long the server may hang. */
  readonly limitMs: number;
  /** Ends the watch. */
  readonly signal: AbortSignal;
}

/**
 * Probes a server repeatedly, as `pg_isready` does. Resolves with true once it has hung for `limitMs`, with false when
 * `signal` aborts.
 *
 * A server hangs when it sends nothing, or reports a recovery that none of its processes runs. PostgreSQL 18 stays in
 * that state when the recovery after a crash fails at once. Any other message is an answer: too many sessions,
 * recovery, shutdown.
 *
 * It counts probes rather than time alone, because it sends none while this process or the machine sleeps.
 */
export async function untilHung({ port, isRecovering, limitMs, signal }: HangOptions): Promise<boolean> {
  const eachMs = limitMs / MAX_UNANSWERED;
  for (let unanswered = 0; unanswered < MAX_UNANSWERED;) {
    const turn = pause(eachMs, signal);
    const answer = await probe(port, eachMs, signal);
    const isUnanswered = answer === 'silence' || (answer === 'recovery' && !isRecovering());
    await turn;
    if (signal.aborted) return false;
    unanswered = isUnanswered ? unanswered + 1 : 0;
  }
  return true;
}

type Answer = 'silence' | 'recovery' | 'other';

/** Builds the startup message of a client. Any reply before the password request is an answer. */
function startupMessage(): Buffer {
  const parameters = Buffer.from(`user\0${SUPERUSER}\0database\0postgres\0\0`);
  const header = Buffer.alloc(8);
  header.writeInt32BE(header.length + parameters.length, 0);
  header.writeInt32BE(PROTOCOL_3, 4);
  return Buffer.concat([header, parameters]);
}

function classify(bytes: Buffer): Answer {
  const text = bytes.toString('latin1');
  return text.includes(CANNOT_CONNECT_NOW) && !text.includes(STOPPING) ? 'recovery' : 'other';
}

function probe(port: number, limitMs: number, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const settle = (answer: Answer): void => {
      clearTimeout(limit);
      signal.removeEventListener('abort', giveUp);
      socket.destroy();
      resolve(answer);
    };
    const giveUp = (): void => {
      settle('silence');
    };
    const limit = setTimeout(giveUp, limitMs);
    signal.addEventListener('abort', giveUp);
    socket.once('connect', () => socket.write(startupMessage()));
    socket.once('data', (bytes) => {
      settle(classify(bytes));
    });
    socket.once('error', ({ code = '' }: NodeJS.ErrnoException) => {
      settle(LOCAL_ERRORS.has(code) ? 'other' : 'silence');
    });
    socket.once('close', giveUp);
  });
}
