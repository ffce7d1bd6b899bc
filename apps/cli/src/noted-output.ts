import { Writable } from 'node:stream';

/** Most characters that are kept of what was written. */
const MAX_KEPT = 10_000;

/** Passes everything on to another stream, at its pace, and keeps the beginning. */
export class NotedOutput extends Writable {
  written = '';

  constructor(private readonly target: Writable) {
    super({ decodeStrings: false });
  }

  override _write(
    chunk: string | Buffer,
    encoding: BufferEncoding,
    done: (error?: Error | null) => void,
  ): void {
    if (this.written.length < MAX_KEPT) this.written += chunk.toString().slice(0, MAX_KEPT);
    this.target.write(chunk, encoding, done);
  }
}
