import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** Smaller answers are not counted: all connections together hold no more of them than the memory has room for. */
const MIN_COUNTED_LENGTH = 65_536;

/**
 * Limits what answers hold that their clients have not read.
 *
 * Beyond the limit the connection of the oldest such answer is closed. A client that reads is seldom the oldest, and one that
 * does not read cannot keep others from their answers.
 */
class UnreadAnswers {
  /** Lengths by answer, the oldest first. */
  private readonly lengths = new Map<ServerResponse, number>();
  private total = 0;

  /** `maxLength` is a number of characters. */
  constructor(private readonly maxLength: number) {}

  /** Counts an answer until its connection has taken it or is closed. */
  add(answer: ServerResponse, length: number): void {
    if (length < MIN_COUNTED_LENGTH || answer.destroyed) return;
    this.lengths.set(answer, length);
    this.total += length;
    answer.once('close', () => {
      this.remove(answer);
    });
    for (const oldest of this.lengths.keys()) {
      if (this.total <= this.maxLength || oldest === answer) return;
      this.remove(oldest);
      oldest.destroy();
    }
  }

  private remove(answer: ServerResponse): void {
    this.total -= this.lengths.get(answer) ?? 0;
    this.lengths.delete(answer);
  }
}

/** Limits what the answers of a server hold that clients have not read, in characters. */
export function limitUnreadAnswers(instance: FastifyInstance, maxLength: number): void {
  const unread = new UnreadAnswers(maxLength);
  instance.addHook('onSend', (_request, reply, payload, done) => {
    if (typeof payload === 'string' || Buffer.isBuffer(payload)) unread.add(reply.raw, payload.length);
    done(null, payload);
  });
}
