import { InvalidModelError } from '@stratalog/domain';

/** The text of one model file. Syntax and schemas keep offsets into it, so a line is computed only for an error. */
export class SourceFile {
  constructor(
    readonly file: string,
    readonly text: string,
  ) {}

  /** **Shape**: line and column count from 1, columns in UTF-16 code units. */
  lineAndColumn(offset: number): { readonly line: number; readonly column: number } {
    const before = this.text.slice(0, offset);
    const lineStart = before.lastIndexOf('\n') + 1;
    let line = 1;
    for (let at = before.indexOf('\n'); at >= 0; at = before.indexOf('\n', at + 1)) line++;
    return { line, column: offset - lineStart + 1 };
  }

  place(offset: number): string {
    const { line, column } = this.lineAndColumn(offset);
    return `${this.file}:${String(line)}:${String(column)}`;
  }

  /** Builds an error for the text at `offset`; its message starts with `file:line:column`. */
  error(offset: number, message: string): InvalidModelError {
    const details = { file: this.file, ...this.lineAndColumn(offset) };
    return new InvalidModelError(`${this.place(offset)}: ${message}`, { details });
  }
}

/** The place of a declaration. */
export interface Origin {
  readonly source: SourceFile;
  readonly at: number;
}

export function placeOf(origin: Origin): string {
  return origin.source.place(origin.at);
}

export function errorAt(origin: Origin, message: string): InvalidModelError {
  return origin.source.error(origin.at, message);
}
