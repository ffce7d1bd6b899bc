import type { InvalidModelError } from '@stratalog/domain';
import type { SourceFile } from './source-file';
import { toTokens, type Token } from './pdl-tokens';

/** Deepest nesting of a model file; prevents a stack overflow. */
const MAX_NESTING = 100;

/** A position in the tokens of one file, with methods to inspect, skip or require a token. */
export class PdlCursor {
  private readonly tokens: readonly Token[];
  private index = 0;
  private nesting = 0;

  constructor(readonly source: SourceFile) {
    this.tokens = toTokens(source);
  }

  get here(): Token {
    return this.tokenAt(this.index);
  }

  get next(): Token {
    return this.tokenAt(this.index + 1);
  }

  /** True when the current token is this sign or keyword; a name in back quotes never is. */
  is(text: string): boolean {
    return isWord(this.here, text);
  }

  take(): Token {
    const token = this.here;
    this.index++;
    return token;
  }

  skip(text: string): boolean {
    if (!this.is(text)) return false;
    this.index++;
    return true;
  }

  expect(text: string): Token {
    if (!this.is(text)) throw this.unexpected(`"${text}"`);
    return this.take();
  }

  name(what: string): string {
    const { kind } = this.here;
    if (kind !== 'name' && kind !== 'quoted') throw this.unexpected(what);
    return nameOf(this.take());
  }

  /** Reads a dotted name, such as `com.linkedin.common.Urn`. */
  qualifiedName(what: string): string {
    let name = this.name(what);
    while (this.skip('.')) name += `.${this.name('a name after the dot')}`;
    return name;
  }

  unexpected(expected: string): InvalidModelError {
    const { kind, text } = this.here;
    return this.source.error(
      this.here.at,
      `expected ${expected}, found ${kind === 'end' ? 'the end of the file' : shorten(text)}`,
    );
  }

  /**
   * Runs `read` one level deeper.
   *
   * **Errors**: `InvalidModelError` beyond the deepest nesting.
   */
  nested<T>(read: () => T): T {
    if (++this.nesting > MAX_NESTING) {
      throw this.source.error(this.here.at, `nested deeper than ${String(MAX_NESTING)} levels`);
    }
    const result = read();
    this.nesting--;
    return result;
  }

  private tokenAt(index: number): Token {
    const token = this.tokens[Math.min(index, this.tokens.length - 1)];
    if (token === undefined) throw this.source.error(0, 'expected a declaration');
    return token;
  }
}

export function isWord(token: Token, text: string): boolean {
  return token.text === text && (token.kind === 'sign' || token.kind === 'name');
}

export function nameOf(token: Token): string {
  return token.kind === 'quoted' ? token.text.slice(1, -1) : token.text;
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
