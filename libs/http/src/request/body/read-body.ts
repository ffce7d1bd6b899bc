import type { Readable } from 'node:stream';
import { InvalidRequestError, TooLargeError } from '@stratalog/domain';
import type { RequestMemory } from '../../admission/request-memory';

/** The first buffer of a body whose length is not declared. **Units**: bytes. */
const FIRST_LENGTH = 1_024;
/** A buffer of a declared length is not larger until bytes have come. **Units**: bytes. */
const MAX_FIRST_LENGTH = 64 * 1024;

export interface BodyLimits {
  readonly maxBytes: number;
  /** `undefined` when the request does not say it, or says that of other bytes than the stream's. */
  readonly declaredBytes: number | undefined;
  readonly memory: Pick<RequestMemory, 'growBody'>;
}

/**
 * Reads a body into one buffer, which doubles as bytes arrive. A body costs what has arrived, and as many small
 * chunks cost no more than one large.
 *
 * **Errors**: `TooLargeError` for more than `maxBytes`; `UnavailableError` when there is no room for it;
 * `InvalidRequestError` when it ends early. Errors of the stream itself have status 400.
 */
export function readBody(stream: Readable, limits: BodyLimits): Promise<Buffer> {
  const body = new GrowingBody(limits);
  return new Promise((resolve, reject) => {
    const onData = (chunk: Buffer): void => {
      try {
        body.add(chunk);
      } catch (error) {
        settle();
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    };
    const onEnd = (): void => {
      settle();
      resolve(body.bytes());
    };
    const onError = (error: Error): void => {
      settle();
      reject(Object.assign(error, { statusCode: 400 }));
    };
    const onClose = (): void => {
      settle();
      reject(new InvalidRequestError('The request ended before its body was complete'));
    };
    // The rejection of a large body reads on for a while, so that the client receives it: the stream stays as it is.
    const settle = (): void => {
      stream.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
    };
    stream.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
    stream.resume();
  });
}

class GrowingBody {
  private buffer = Buffer.alloc(0);
  private length = 0;

  constructor(private readonly limits: BodyLimits) {}

  add(chunk: Buffer): void {
    const needed = this.length + chunk.length;
    const { maxBytes } = this.limits;
    if (needed > maxBytes) throw bodyTooLarge(maxBytes);
    if (needed > this.buffer.length) this.grow(needed);
    chunk.copy(this.buffer, this.length);
    this.length = needed;
  }

  bytes(): Buffer {
    return this.buffer.subarray(0, this.length);
  }

  private grow(needed: number): void {
    const { maxBytes, declaredBytes, memory } = this.limits;
    const first = Math.min(declaredBytes ?? FIRST_LENGTH, MAX_FIRST_LENGTH);
    const most = Math.max(needed, declaredBytes ?? maxBytes);
    const length = Math.min(most, Math.max(first, needed, 2 * this.buffer.length));
    memory.growBody(length - this.buffer.length);
    const larger = Buffer.allocUnsafe(length);
    this.buffer.copy(larger, 0, 0, this.length);
    this.buffer = larger;
  }
}

/** Makes the one rejection of a body above the limit, whether its length was declared or measured. */
export function bodyTooLarge(maxBytes: number): TooLargeError {
  return new TooLargeError(
    `The body of the request is larger than the limit of this call, which is ${String(maxBytes)} bytes`,
  );
}
