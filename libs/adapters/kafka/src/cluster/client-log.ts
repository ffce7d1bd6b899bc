/** What the Kafka client says to its log. */
export interface ClientLogEntry {
  readonly namespace: string;
  readonly isError: boolean;
  readonly message: string;
  /** The broker's own words, where the client reports an answer. */
  readonly error?: unknown;
}

/** warn = degraded or healed, info = life cycle. What fails for good is thrown at us and told by us, so nothing here is an error. */
export type ClientLog = (level: 'warn' | 'info', text: string) => void;

/**
 * What brokers answer while partitions, groups or transactions get ready or move, in the client's words. It asks again by itself.
 * Crashes of consumers for such a reason are mended by the topic reader.
 */
const PASSING =
  /does not host this topic-partition|not the leader for that|in the middle of a leadership election|coordinator is (?:loading|not available)|not the correct coordinator|rebalancing|ongoing transaction|concurrent (?:transaction|operation)/i;

/** The same line is not told again so soon. */
const REPEAT_MS = 10_000;

/** Tells what somebody may want to know of what the client says, in our levels. */
export function createClientLog(tell: ClientLog): (entry: ClientLogEntry) => void {
  return ({ namespace, isError, message, error }) => {
    // The record sender sees to what this warns of.
    if (message.startsWith('Limiting retries for the idempotent producer')) return;
    const reason = typeof error === 'string' ? `: ${error}` : '';
    if (isError && PASSING.test(message + reason)) {
      tell('info', `Kafka is not ready for that yet and is asked again (${passingReason(message, error)})`);
      return;
    }
    tell('warn', `kafkajs${namespace === '' ? '' : ` ${namespace}`}: ${message}${reason}`);
  };
}

/** Tells a line that comes again and again once in ten seconds. */
export function withoutRepeats(tell: ClientLog, now: () => number): ClientLog {
  const told = new Map<string, number>();
  return (level, text) => {
    for (const [each, at] of told) if (at + REPEAT_MS <= now()) told.delete(each);
    if (told.has(text)) return;
    told.set(text, now());
    tell(level, text);
  };
}

function passingReason(message: string, error: unknown): string {
  return typeof error === 'string' ? error : message.replace(/^Crash: \w+: /, '');
}
