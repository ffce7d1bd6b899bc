import { getHeapStatistics } from 'node:v8';

/** **Units**: characters of JSON text. An eighth of the heap, because the values and the text of the answer are held together. */
const MAX_LENGTH = 64 * 1024 * 1024;
const HEAP_SHARE = 1 / 8;

/**
 * Lets reads of several entities run a few at a time, so that their answers fit in the quarter of the heap that is left for answers. The
 * others wait in line, and hold nothing meanwhile.
 */
export class BatchReads {
  /** Most values of one answer. **Units**: characters of JSON text. */
  readonly maxLength: number;
  private readonly atOnce: number;
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(heapLimit: number = getHeapStatistics().heap_size_limit) {
    this.maxLength = Math.floor(Math.min(MAX_LENGTH, HEAP_SHARE * heapLimit));
    this.atOnce = Math.max(1, Math.floor(heapLimit / 4 / (2 * this.maxLength)));
  }

  async run<Read>(read: () => Promise<Read>): Promise<Read> {
    if (this.running < this.atOnce) this.running++;
    else await new Promise<void>((begin) => this.waiting.push(begin));
    try {
      return await read();
    } finally {
      // By then the answer is written as text, and its values are garbage.
      setImmediate(() => {
        this.end();
      });
    }
  }

  private end(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.running--;
    else next();
  }
}
