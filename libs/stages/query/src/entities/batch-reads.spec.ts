import { describe, expect, it } from '@jest/globals';
import { BatchReads, rejectLongAnswer } from './batch-reads';

const MB = 1024 * 1024;

/** A read of this length, which ends when it is told to. */
class Read {
  readonly starts: number[] = [];
  end: () => void = () => undefined;
  readonly answer: Promise<string>;

  constructor(reads: BatchReads, length: number) {
    this.answer = reads.run(async (maxLength) => {
      this.starts.push(maxLength);
      rejectLongAnswer(length, maxLength);
      await new Promise<void>((end) => (this.end = end));
      return 'read';
    });
  }
}

describe('BatchReads', () => {
  const settle = () => new Promise((resolve) => setImmediate(resolve));

  it('lets small reads run beside a large one, and large ones one after another', async () => {
    const reads = new BatchReads(256 * MB);
    const large = [new Read(reads, 20 * MB), new Read(reads, 20 * MB)] as const;
    await settle();
    const small = new Read(reads, MB);
    expect(large.map(({ starts }) => starts)).toEqual([[4 * MB, 32 * MB], [4 * MB]]);
    small.end();
    await expect(small.answer).resolves.toBe('read');
    large[0].end();
    await expect(large[0].answer).resolves.toBe('read');
    await settle();
    await settle();
    expect(large[1].starts).toEqual([4 * MB, 32 * MB]);
    large[1].end();
    await expect(large[1].answer).resolves.toBe('read');
  });

  it('rejects an answer that is larger than any may be', async () => {
    const reads = new BatchReads(256 * MB);
    await expect(new Read(reads, 33 * MB).answer).rejects.toThrow('larger than 33554432 characters');
  });

  it('throttles a large read that waits for too long, and forgets it', async () => {
    const reads = new BatchReads(256 * MB, 10);
    const first = new Read(reads, 20 * MB);
    await settle();
    await expect(new Read(reads, 20 * MB).answer).rejects.toMatchObject({ code: 'unavailable' });
    first.end();
    await first.answer;
    await settle();
    const next = new Read(reads, 20 * MB);
    await settle();
    next.end();
    await expect(next.answer).resolves.toBe('read');
  });
});
