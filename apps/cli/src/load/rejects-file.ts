import { lstat, open, rm, stat, type FileHandle } from 'node:fs/promises';
import { RawJson, stringifyJson } from '@stratalog/json';
import { CommandFailure, EXIT } from '../exit-code';
import type { Rejection } from './rejections';

/**
 * The file of rejected records with their reasons, one JSON object a line. The first rejection creates it.
 *
 * **Order and repeats**: lines stand in the order of their rejection, not of the input.
 */
export class RejectsFile {
  private tail: Promise<void> = Promise.resolve();
  private handle: FileHandle | undefined;

  constructor(private readonly path: string) {}

  /** The path of the lines; undefined while there is none. */
  get writtenTo(): string | undefined {
    return this.handle === undefined ? undefined : this.path;
  }

  /**
   * Deletes the file of an earlier load, so that a load without rejections leaves none. Call it for a default name only.
   *
   * **Errors**: {@link CommandFailure} when the file is none of an earlier load, or cannot be deleted.
   */
  async discardEarlier(): Promise<void> {
    const found = await lstat(this.path).catch(() => undefined);
    if (found === undefined) return;
    if (!found.isFile() || !(await holdsRejections(this.path))) {
      throw new CommandFailure(
        `${this.path} is there already, and holds no rejected records of an earlier load: name another file with --rejects`,
        EXIT.usage,
      );
    }
    await rm(this.path).catch((error: unknown) => {
      throw new CommandFailure(
        `cannot remove the rejected records of an earlier load: ${(error as Error).message}`,
        EXIT.usage,
      );
    });
  }

  /** Resolves when the line is written, so that a slow disk slows its writers down. */
  add(rejection: Rejection, record: { readonly text: string; readonly isJson: boolean }): Promise<void> {
    const { index, entityUrn, aspectName, status, reason } = rejection;
    const line = stringifyJson({
      index,
      entityUrn,
      aspectName,
      status,
      reason,
      // A record of several lines is JSON, where line ends between values have no meaning.
      record: record.isJson ? new RawJson(record.text.replace(/[\r\n]+/g, ' ').trim()) : record.text,
    });
    this.tail = this.tail.then(async () => {
      this.handle ??= await this.openFile();
      await this.handle.appendFile(`${line}\n`);
    });
    return this.tail;
  }

  async close(): Promise<void> {
    await this.handle?.close();
  }

  private async openFile(): Promise<FileHandle> {
    try {
      return await open(this.path, 'w');
    } catch (error) {
      throw new CommandFailure(
        `cannot keep rejected records: ${(error as Error).message}; name another file with --rejects`,
        EXIT.usage,
      );
    }
  }
}

/** True when both names lead to one existing file, also over links. */
export async function isSameFile(a: string, b: string): Promise<boolean> {
  const [one, other] = await Promise.all(
    [a, b].map((path) => stat(path, { bigint: true }).catch(() => undefined)),
  );
  return one !== undefined && one.dev === other?.dev && one.ino === other.ino;
}

/** True for an empty file, and for one whose first line is one that this class writes. */
async function holdsRejections(path: string): Promise<boolean> {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(FIRST_LINE.length), 0, FIRST_LINE.length, 0);
    return bytesRead === 0 || buffer.toString('utf8', 0, bytesRead) === FIRST_LINE;
  } finally {
    await handle.close();
  }
}

/** How the first line of the file begins. */
const FIRST_LINE = '{"index":';
