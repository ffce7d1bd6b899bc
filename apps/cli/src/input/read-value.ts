import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { parseJson, type JsonValue } from '@stratalog/json';
import { CommandFailure, EXIT } from '../exit-code';
import type { Terminal } from '../terminal';

export interface ValueSource {
  /** A file, or `-` for standard input. */
  readonly file: string | undefined;
  /** The value itself. */
  readonly value: string | undefined;
}

/**
 * Reads the one JSON value of a command. **Errors**: {@link CommandFailure} when there is none, or two, or no
 * JSON.
 */
export async function readValue({ file, value }: ValueSource, terminal: Terminal): Promise<JsonValue> {
  if ((file === undefined) === (value === undefined)) {
    throw new CommandFailure(
      'give the value in one way: a file, - for standard input, or --value <json>',
      EXIT.usage,
    );
  }
  const source = value ?? (await toContent(file ?? '-', terminal));
  try {
    return parseJson(source);
  } catch (error) {
    const name = value !== undefined ? '--value' : file === '-' ? 'standard input' : (file ?? '');
    const reason = source.trim() === '' ? 'it is empty' : (error as Error).message;
    throw new CommandFailure(`${name} is not JSON: ${reason}`, EXIT.usage);
  }
}

async function toContent(file: string, terminal: Terminal): Promise<string> {
  if (file === '-') return text(terminal.stdin);
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new CommandFailure(`cannot read ${file}: ${(error as Error).message}`, EXIT.usage);
  }
}
