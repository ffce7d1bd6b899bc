import { setImmediate } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import { Semaphore } from '@stratalog/concurrency';
import { InvalidRequestError, UnavailableError } from '@stratalog/domain';

/** **Units**: characters of JSON text. An eighth of the heap, because the values and the text of the answer are held together. */
const MAX_LENGTH = 64 * 1024 * 1024;
const HEAP_SHARE = 1 / 8;
/** A thousand entities of the usual size. **Units**: characters. */
const SMALL_LENGTH = 4 * 1024 * 1024;
const MAX_WAIT_MS = 20_000;
const TOO_MANY = 'Too many large answers are read at once; try again, or ask for fewer entities';

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
  private readonly large: Semaphore;

  constructor(
    heapLimit: number = getHeapStatistics().heap_size_limit,
    private readonly maxWaitMs = MAX_WAIT_MS,
  ) {
    this.maxLength = Math.floor(Math.min(MAX_LENGTH, HEAP_SHARE * heapLimit));
    this.large = new Semaphore(Math.max(1, Math.floor(heapLimit / 4 / (2 * this.maxLength))));
  }

  /**
   * Runs a read, which calls {@link rejectLongAnswer} with the length that it is given.
   *
   * **Errors**: those of the read; `UnavailableError` when a large one had to wait for too long.
   */
  async run<Read>(read: (maxLength: number) => Promise<Read>): Promise<Read> {
    try {
      return await read(Math.min(SMALL_LENGTH, this.maxLength));
    } catch (error) {
      if (!(error instanceof LongAnswerError)) throw error;
    }
    return this.runLarge(read);
  }

  private runLarge<Read>(read: (maxLength: number) => Promise<Read>): Promise<Read> {
    const waiting = AbortSignal.timeout(this.maxWaitMs);
    return new Promise((answer, fail) => {
      const work = async (): Promise<void> => {
        answer(await read(this.maxLength));
        // By then the answer is written as text, and its values are garbage.
        await setImmediate();
      };
      this.large.run(work, waiting).catch((error: unknown) => {
        fail(error === waiting.reason ? new UnavailableError(TOO_MANY) : (error as Error));
      });
    });
  }
}
