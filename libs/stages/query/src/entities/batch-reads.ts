import { getHeapStatistics } from 'node:v8';
import { InvalidRequestError, ThrottledError } from '@stratalog/model';

/** **Units**: characters of JSON text. An eighth of the heap, because the values and the text of the answer are held together. */
const MAX_LENGTH = 64 * 1024 * 1024;
const HEAP_SHARE = 1 / 8;
/** A thousand entities of the usual size. **Units**: characters. */
const SMALL_LENGTH = 4 * 1024 * 1024;
const MAX_WAIT_MS = 20_000;

class LongAnswerError extends InvalidRequestError {}

/** Rejects an answer that the process cannot hold; the caller splits the request. **Units**: characters. */
export function rejectLongAnswer(length: number, maxLength: number): void {
  if (length <= maxLength) return;
  throw new LongAnswerError(
    `The answer would be larger than ${String(maxLength)} characters; ask for fewer entities or aspects`,
  );
}

/**
 * Bounds the memory of reads of several entities. A read that turns out to be large drops what it has, and starts again when fewer large
 * ones are under way, so that their answers fit in a quarter of the heap. Small ones never wait.
 */
export class BatchReads {
  /** Most values of one answer. **Units**: characters of JSON text. */
  readonly maxLength: number;
  private readonly atOnce: number;
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    heapLimit: number = getHeapStatistics().heap_size_limit,
    private readonly maxWaitMs = MAX_WAIT_MS,
  ) {
    this.maxLength = Math.floor(Math.min(MAX_LENGTH, HEAP_SHARE * heapLimit));
    this.atOnce = Math.max(1, Math.floor(heapLimit / 4 / (2 * this.maxLength)));
  }

  /**
   * Runs a read, which calls {@link rejectLongAnswer} with the length that it is given.
   *
   * **Errors**: those of the read; `ThrottledError` when a large one had to wait for too long.
   */
  async run<Read>(read: (maxLength: number) => Promise<Read>): Promise<Read> {
    try {
      return await read(Math.min(SMALL_LENGTH, this.maxLength));
    } catch (error) {
      if (!(error instanceof LongAnswerError)) throw error;
    }
    await this.begin();
    try {
      return await read(this.maxLength);
    } finally {
      // By then the answer is written as text, and its values are garbage.
      setImmediate(() => {
        this.end();
      });
    }
  }

  private begin(): Promise<void> {
    if (this.running < this.atOnce) {
      this.running++;
      return Promise.resolve();
    }
    return new Promise((begin, reject) => {
      const next = (): void => {
        clearTimeout(limit);
        begin();
      };
      const limit = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(next), 1);
        reject(
          new ThrottledError('Too many large answers are read at once; try again, or ask for fewer entities'),
        );
      }, this.maxWaitMs);
      this.waiting.push(next);
    });
  }

  private end(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.running--;
    else next();
  }
}
