/** A log entry of the Kafka client. */
export interface ClientLogEntry {
  readonly namespace: string;
  readonly message: string;
  /** The broker's message, when the client reports an answer. */
  readonly error?: unknown;
}

/** warn = degraded, in the words of the catalog; debug = what the client itself says. */
export type ClientLog = (level: 'warn' | 'debug', text: string) => void;

/** Minimum interval between repeats of the same line. */
const REPEAT_MS = 10_000;

/**
 * Logs what the client says for those who look for a fault in detail. It retries by itself and throws what it cannot help, so the consumers and
 * calls that fail for it say so in a line of their own.
 */
export function createClientLog(tell: ClientLog): (entry: ClientLogEntry) => void {
  return ({ namespace, message, error }) => {
    const reason = typeof error === 'string' ? `: ${error}` : '';
    tell('debug', `kafkajs${namespace === '' ? '' : ` ${namespace}`}: ${message}${reason}`);
  };
}

/** Logs a repeated line once in ten seconds. */
export function withoutRepeats(tell: ClientLog, now: () => number): ClientLog {
  const logged = new Map<string, number>();
  return (level, text) => {
    for (const [each, at] of logged) if (at + REPEAT_MS <= now()) logged.delete(each);
    if (logged.has(text)) return;
    logged.set(text, now());
    tell(level, text);
  };
}
