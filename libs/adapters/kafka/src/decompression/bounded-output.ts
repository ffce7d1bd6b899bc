/** Most bytes of a batch of records. A record of the largest size fits, with others next to it. */
export const MAX_BATCH_BYTES = 40 * 1024 * 1024;

/** **Errors**: `RangeError` when a batch has more bytes than the catalog reads. */
export function checkBatchBytes(bytes: number): void {
  if (bytes > MAX_BATCH_BYTES)
    throw new RangeError(`it has more than ${String(MAX_BATCH_BYTES)} bytes when decompressed`);
}

const FIRST_BYTES = 64 * 1024;

/** Decompressed bytes. Memory grows with what is written, whatever size the compressed bytes claim. */
export class BoundedOutput {
  private bytes = Buffer.allocUnsafe(FIRST_BYTES);
  private length = 0;

  /** **Errors**: `RangeError` beyond the limit. */
  write(chunk: Uint8Array): void {
    this.reserve(chunk.length);
    this.bytes.set(chunk, this.length);
    this.length += chunk.length;
  }

  /**
   * Writes `count` bytes again that were written `distance` bytes before; the two may overlap.
   *
   * **Errors**: `RangeError` beyond the limit, and before the first byte.
   */
  repeat(distance: number, count: number): void {
    if (distance === 0 || distance > this.length) throw new RangeError('a match begins before its data');
    this.reserve(count);
    const from = this.length - distance;
    for (let left = count; left > 0;) {
      // What was repeated already is repeated along: twice as much each time, instead of one byte after another.
      const some = Math.min(left, this.length - from);
      this.bytes.copy(this.bytes, this.length, from, from + some);
      this.length += some;
      left -= some;
    }
  }

  get result(): Buffer {
    return this.bytes.subarray(0, this.length);
  }

  private reserve(count: number): void {
    const needed = this.length + count;
    checkBatchBytes(needed);
    if (needed <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.bytes.length));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }
}
