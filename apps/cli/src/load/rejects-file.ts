import { access, constants, lstat, open, rm, stat, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { RawJson, stringifyJson } from '@stratalog/model';
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
  private openedPath: string | undefined;

  /**
   * With `fallback`, a folder that is not writable is replaced by the working folder, under the same file
   * name.
   */
  constructor(
    private readonly path: string,
    private readonly options: { readonly fallback: boolean },
  ) {}

  /** The path of the lines; undefined while there is none. */
  get writtenTo(): string | undefined {
    return this.openedPath;
  }

  /**
   * Deletes the file of an earlier load, so that a load without rejections leaves none. Call it for a default
   * name only; it deletes plain files only.
   *
   * **Errors**: {@link CommandFailure} when it cannot be deleted.
   */
  async discardEarlier(): Promise<void> {
    const path = (await isWritable(dirname(this.path))) ? this.path : basename(this.path);
    const found = await lstat(path).catch(() => undefined);
    if (found?.isFile() !== true) return;
    await rm(path).catch((error: unknown) => {
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
    this.openedPath = this.path;
    try {
      return await open(this.path, 'w');
    } catch (error) {
      const local = basename(this.path);
      if (!this.options.fallback || join(dirname(this.path), local) === local) throw error;
      this.openedPath = local;
      return await open(local, 'w');
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

async function isWritable(folder: string): Promise<boolean> {
  return access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );
}
