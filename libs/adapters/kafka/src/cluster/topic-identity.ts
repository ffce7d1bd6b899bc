import type { RawRequests } from './raw-requests';

/** Lifetime of a cached id; a topic cannot be created again within this time. */
const SAME_TOPIC_MS = 50;

/**
 * Reads the id of the topic behind a name. kafkajs cannot read it, and would read a topic that was created again as if
 * it were the old one.
 */
export class TopicIdentity {
  private seen: { readonly id: Promise<string>; readonly at: number } | undefined;

  constructor(
    private readonly raw: RawRequests,
    private readonly topic: string,
  ) {}

  /** Reads the current id. Concurrent calls share one request. */
  id(): Promise<string> {
    const now = performance.now();
    if (this.seen === undefined || now - this.seen.at > SAME_TOPIC_MS) {
      this.seen = { id: this.raw.topicId(this.topic), at: now };
    }
    return this.seen.id;
  }
}
