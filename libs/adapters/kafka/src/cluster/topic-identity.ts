import type { RawRequests } from './raw-requests';

/** No topic is made anew so soon after its id was asked for. */
const SAME_TOPIC_MS = 50;

/** Which topic stands behind a name now: kafkajs cannot ask for the id, and would read one that was made anew as if it were the old one. */
export class TopicIdentity {
  private seen: { readonly id: Promise<string>; readonly at: number } | undefined;

  constructor(
    private readonly raw: RawRequests,
    private readonly topic: string,
  ) {}

  /** As it is now; of many who ask at once only the first asks the broker. */
  id(): Promise<string> {
    const now = performance.now();
    if (this.seen === undefined || now - this.seen.at > SAME_TOPIC_MS) {
      this.seen = { id: this.raw.topicId(this.topic), at: now };
    }
    return this.seen.id;
  }
}
