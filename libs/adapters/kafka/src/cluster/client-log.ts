/** A log entry of the Kafka client. */
export interface ClientLogEntry {
  readonly namespace: string;
  readonly message: string;
  /** The broker's message, when the client reports an answer. */
  readonly error?: unknown;
}

/**
 * warn = degraded or healed, info = life cycle. The client throws permanent failures, which their callers log, so
 * nothing here is an error.
 */
export type ClientLog = (level: 'warn' | 'info', text: string) => void;

/**
 * Answers of brokers while partitions, groups or transactions become ready or move, in the client's words. The client
 * retries by itself; the topic reader replaces consumers that crash for such a reason.
 */
const TRANSIENT =
  /does not host this topic-partition|not the leader for that|in the middle of a leadership election|coordinator is (?:loading|not available)|not the correct coordinator|rebalancing|ongoing transaction|concurrent (?:transaction|operation)/i;

/** Minimum interval between repeats of the same line. */
const REPEAT_MS = 10_000;

/** Converts log entries of the client to the catalog's levels. */
export function createClientLog(tell: ClientLog): (entry: ClientLogEntry) => void {
  return ({ namespace, message, error }) => {
    // The record sender handles the cause of this warning.
    if (message.startsWith('Limiting retries for the idempotent producer')) return;
    const reason = typeof error === 'string' ? `: ${error}` : '';
    if (TRANSIENT.test(message + reason)) {
      tell('info', `Kafka is not ready for that yet and is asked again (${transientReason(message, error)})`);
      return;
    }
    tell('warn', `kafkajs${namespace === '' ? '' : ` ${namespace}`}: ${message}${reason}`);
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

function transientReason(message: string, error: unknown): string {
  return typeof error === 'string' ? error : message.replace(/^Crash: \w+: /, '');
}
