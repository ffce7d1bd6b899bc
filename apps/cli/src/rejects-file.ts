import { open, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { RawJson, stringifyJson } from '@stratalog/model';
import type { Refusal } from './refusals';

/**
 * The file of refused records with their reasons, one JSON object a line. It comes into being with the first of them.
 *
 * **Order and repeats**: lines stand in the order of their refusal, not of the input.
 */
export class RejectsFile {
  private tail: Promise<void> = Promise.resolve();
  private handle: FileHandle | undefined;
  private openedPath: string | undefined;

  /** With `fallback`, a folder that nobody may write to is answered by the same name in the working folder. */
  constructor(
    private readonly path: string,
    private readonly options: { readonly fallback: boolean },
  ) {}

  /** Where the lines are; undefined while there is none. */
  get writtenTo(): string | undefined {
    return this.openedPath;
  }

  /** Resolves when the line is written, which is how a slow disk slows its writers down. */
  add(refusal: Refusal, record: { readonly text: string; readonly isJson: boolean }): Promise<void> {
    const { index, entityUrn, aspectName, status, reason } = refusal;
    const line = stringifyJson({
      index,
      entityUrn,
      aspectName,
      status,
      reason,
      // A record of several lines is JSON, where line ends between values mean nothing.
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
