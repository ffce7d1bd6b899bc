import type { Answer, HttpConnection } from './http-connection';

/**
 * A request of a loop and the handler of its answer; `startMs` is when the exchange started or should have
 * started.
 */
export interface Exchange {
  readonly request: string;
  readonly onAnswer: (answer: Answer, startMs: number) => void;
}

export interface LoopResult {
  /** From the first request to the last answer. */
  readonly seconds: number;
  readonly latenciesMs: readonly number[];
  /** Requests that were due in a paced loop and could not be sent in time. */
  readonly unsent: number;
}

export interface ClosedLoop {
  readonly connections: readonly HttpConnection[];
  /** The next exchange of a connection; `undefined` ends the connection's part. */
  readonly next: (connection: number) => Exchange | undefined;
}

/**
 * Each connection sends its next request when the one before is answered: at the highest rate of the catalog.
 */
export async function closedLoop({ connections, next }: ClosedLoop): Promise<LoopResult> {
  const latenciesMs: number[] = [];
  const start = performance.now();
  await Promise.all(
    connections.map(async (connection, at) => {
      for (let exchange = next(at); exchange !== undefined; exchange = next(at)) {
        const startMs = performance.now();
        const answer = await connection.exchange(exchange.request);
        latenciesMs.push(performance.now() - startMs);
        exchange.onAnswer(answer, startMs);
      }
    }),
  );
  return { seconds: (performance.now() - start) / 1000, latenciesMs, unsent: 0 };
}

/** A `next` for `closedLoop` that ends after a time. */
export function forSeconds(
  seconds: number,
  make: (connection: number) => Exchange,
): (connection: number) => Exchange | undefined {
  const end = performance.now() + seconds * 1000;
  return (connection) => (performance.now() < end ? make(connection) : undefined);
}

export interface PacedLoop {
  readonly connections: readonly HttpConnection[];
  /** Requests per second, evenly spaced. */
  readonly rate: number;
  readonly seconds: number;
  readonly next: () => Exchange;
}

const TICK_MS = 1;

/**
 * Sends at a given rate, whether or not the catalog keeps up. A latency counts from the time at which the
 * request was due, so that it includes waiting for a free connection.
 */
export function pacedLoop({ connections, rate, seconds, next }: PacedLoop): Promise<LoopResult> {
  const idle = [...connections];
  const latenciesMs: number[] = [];
  const total = Math.floor(rate * seconds);
  const start = performance.now();
  const endMs = start + seconds * 1000;
  let sent = 0;
  return new Promise((resolve, reject) => {
    const send = async (connection: HttpConnection, dueMs: number): Promise<void> => {
      const { request, onAnswer } = next();
      const answer = await connection.exchange(request);
      latenciesMs.push(performance.now() - dueMs);
      onAnswer(answer, dueMs);
      idle.push(connection);
      step();
    };
    const step = (): void => {
      const now = performance.now();
      for (;;) {
        const dueMs = start + (sent * 1000) / rate;
        if (sent >= total || dueMs > now || now > endMs) break;
        const connection = idle.pop();
        if (connection === undefined) break;
        sent++;
        send(connection, dueMs).catch(fail);
      }
      if (now <= endMs || idle.length < connections.length) return;
      clearInterval(timer);
      resolve({ seconds: (now - start) / 1000, latenciesMs, unsent: total - sent });
    };
    const timer = setInterval(step, TICK_MS);
    const fail = (error: unknown): void => {
      clearInterval(timer);
      reject(error instanceof Error ? error : new Error(String(error)));
    };
  });
}
