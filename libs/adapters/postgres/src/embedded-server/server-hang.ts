import { connect } from 'node:net';
import { pause } from '@stratalog/ports';
import { SUPERUSER } from './cluster';

/** So many questions in a row without a use make a hang. */
const QUESTIONS = 6;
const PROTOCOL_3 = 196_608;
/** What says nothing about the server: our own process or machine has no connection left. */
const OWN_TROUBLE: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL']);
/** How a server says that it starts, recovers or stops; its messages are in English, by our settings. */
const CANNOT_CONNECT_NOW = 'C57P03\0';
const STOPPING = 'shutting down';

export interface HangOptions {
  /** On the loopback address. */
  readonly port: number;
  /** Whether one of the server's processes replays the log. */
  readonly isRecovering: () => boolean;
  /** How long the server may hang. */
  readonly limitMs: number;
  /** Gives up the watch. */
  readonly signal: AbortSignal;
}

/**
 * Asks a server again and again, as `pg_isready` does. Resolves with true once it has hung for `limitMs`, with false when `signal` aborts.
 *
 * It hangs when it says nothing, and when it says that it recovers although none of its processes does: PostgreSQL 18 stays like that when
 * the recovery after a crash has failed at once. Any other word is an answer: that it has too many sessions, recovers, or is being stopped.
 *
 * Questions are counted, and not the time alone: none is asked while this process or the whole machine sleeps.
 */
export async function untilHung({ port, isRecovering, limitMs, signal }: HangOptions): Promise<boolean> {
  const eachMs = limitMs / QUESTIONS;
  for (let inVain = 0; inVain < QUESTIONS;) {
    const turn = pause(eachMs, signal);
    const answer = await toAnswer(port, eachMs, signal);
    const isInVain = answer === 'silence' || (answer === 'recovery' && !isRecovering());
    await turn;
    if (signal.aborted) return false;
    inVain = isInVain ? inVain + 1 : 0;
  }
  return true;
}

type Answer = 'silence' | 'recovery' | 'other';

/** The first thing that a client says; what comes back before a password is asked for is answer enough. */
function startupMessage(): Buffer {
  const parameters = Buffer.from(`user\0${SUPERUSER}\0database\0postgres\0\0`);
  const head = Buffer.alloc(8);
  head.writeInt32BE(head.length + parameters.length, 0);
  head.writeInt32BE(PROTOCOL_3, 4);
  return Buffer.concat([head, parameters]);
}

function meaningOf(bytes: Buffer): Answer {
  const text = bytes.toString('latin1');
  return text.includes(CANNOT_CONNECT_NOW) && !text.includes(STOPPING) ? 'recovery' : 'other';
}

function toAnswer(port: number, limitMs: number, signal: AbortSignal): Promise<Answer> {
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
      settle(meaningOf(bytes));
    });
    socket.once('error', ({ code = '' }: NodeJS.ErrnoException) => {
      settle(OWN_TROUBLE.has(code) ? 'other' : 'silence');
    });
    socket.once('close', giveUp);
  });
}
