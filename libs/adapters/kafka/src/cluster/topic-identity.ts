import type { RawRequests } from './raw-requests';
import type { TopicState } from './topic-state';

/** Lifetime of a cached state; a topic cannot be created again within this time. */
const SAME_TOPIC_MS = 50;

/**
 * Reads the id of the topic behind a name, and its leader epochs. kafkajs cannot read them, and would read a topic that was created
 * again as if it were the old one.
 */
export class TopicIdentity {
  private seen: { readonly state: Promise<TopicState>; readonly at: number } | undefined;

  constructor(
    private readonly raw: RawRequests,
    private readonly topic: string,
  ) {}

  /** Reads the current id. */
  async id(): Promise<string> {
    return (await this.state()).id;
  }

  /** Reads the current state. Concurrent calls share one request. */
  state(): Promise<TopicState> {
    const now = performance.now();
    if (this.seen === undefined || now - this.seen.at > SAME_TOPIC_MS) {
      this.seen = { state: this.raw.describeTopic(this.topic), at: now };
    }
    return this.seen.state;
  }
}
