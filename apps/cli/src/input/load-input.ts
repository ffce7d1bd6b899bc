import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { CommandFailure, EXIT } from '../exit-code';
import type { Terminal } from '../terminal';

/** The bytes to load. */
export interface LoadInput {
  readonly chunks: Readable;
  /** The number of bytes read so far. */
  readonly bytesRead: () => number;
  /** Its size; undefined when it is not known. */
  readonly size: number | undefined;
}

/** A quarter of a megabyte a read: few system calls, little memory. */
const CHUNK_BYTES = 256 * 1024;

/** Opens a file, or standard input for `-`. **Errors**: {@link CommandFailure} when it cannot be read. */
export async function openInput(file: string, terminal: Terminal): Promise<LoadInput> {
  if (file === '-') return { chunks: terminal.stdin, bytesRead: () => 0, size: undefined };
  try {
    const handle = await open(file, 'r');
    const stat = await handle.stat();
    if (stat.isDirectory()) throw new Error('it is a folder');
    const chunks = handle.createReadStream({ highWaterMark: CHUNK_BYTES });
    return { chunks, bytesRead: () => chunks.bytesRead, size: stat.isFile() ? stat.size : undefined };
  } catch (error) {
    const reason =
      (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'no such file' : (error as Error).message;
    throw new CommandFailure(`cannot read ${file}: ${reason}`, EXIT.usage);
  }
}
