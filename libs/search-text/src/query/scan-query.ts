import type { SearchField } from '@stratalog/domain';
import { fieldKind } from '../analysis/field-kinds';
import { readQuoted, readUnquoted, type ReadValue } from './read-value';

/** A token of the query language. Groups are balanced: each `open` ends with a `close` or the end of the query. */
export type Lexeme =
  | { readonly kind: 'open' | 'close' | 'and' | 'or' | 'not' }
  | ({ readonly kind: 'value'; readonly field: SearchField | undefined } & ReadValue);

/** Deepest group. Deeper parentheses are ignored, so every tree is shallow enough to walk recursively. */
const MAX_GROUP_DEPTH = 15;

/** Most lexemes; the rest of a longer query is ignored. */
const MAX_LEXEMES = 2000;

const OPERATORS: Readonly<Record<string, 'and' | 'or' | 'not'>> = {
  AND: 'and',
  '&&': 'and',
  OR: 'or',
  '||': 'or',
  NOT: 'not',
};
const BLANKS = /\s*/y;
const FIELD_NAME = /([\p{L}_][\p{L}\p{N}_.$-]{0,99}):(?=[^\s)])/uy;
const URN = /urn:[^\s:()"]+:[^\s:()"]+:(?=[^\s)])/y;

/** Scans a query into lexemes; `findField` resolves field names. Never throws, and takes linear time for any text. */
export function scanQuery(
  text: string,
  findField: (name: string) => SearchField | undefined,
): readonly Lexeme[] {
  return new Scanner(text, findField).scan();
}

class Scanner {
  private at = 0;
  private readonly lexemes: Lexeme[] = [];
  /** Field of each open group, outermost first. */
  private readonly groups: (SearchField | undefined)[] = [];

  constructor(
    private readonly text: string,
    private readonly findField: (name: string) => SearchField | undefined,
  ) {}

  scan(): readonly Lexeme[] {
    for (;;) {
      this.at += this.lengthOf(BLANKS);
      if (this.at >= this.text.length || this.lexemes.length >= MAX_LEXEMES) return this.lexemes;
      this.scanOne();
    }
  }

  private scanOne(): void {
    switch (this.text[this.at]) {
      case '(':
        this.open(this.groups.at(-1));
        break;
      case ')':
        this.close();
        break;
      case '-':
      case '!':
        this.at++;
        // A lone sign is punctuation, as in "orders - 2024".
        if (/[^\s)]/.test(this.text.charAt(this.at))) this.lexemes.push({ kind: 'not' });
        break;
      default:
        this.scanTerm();
    }
  }

  private open(field: SearchField | undefined): void {
    this.at++;
    this.groups.push(field);
    if (this.groups.length <= MAX_GROUP_DEPTH) this.lexemes.push({ kind: 'open' });
  }

  private close(): void {
    this.at++;
    if (this.groups.length > 0 && this.groups.length <= MAX_GROUP_DEPTH) this.lexemes.push({ kind: 'close' });
    this.groups.pop();
  }

  private scanTerm(): void {
    const named = this.scanFieldName();
    if (named !== undefined && this.text[this.at] === '(') {
      this.open(named);
      return;
    }
    const field = named ?? this.groups.at(-1);
    const start = this.at;
    const value = this.text[start] === '"' ? readQuoted(this.text, start) : this.readWord(field);
    this.at = value.end;
    const operator = named === undefined ? OPERATORS[this.text.slice(start, value.end)] : undefined;
    this.lexemes.push(operator === undefined ? { kind: 'value', field, ...value } : { kind: operator });
  }

  private readWord(field: SearchField | undefined): ReadValue {
    const isUrn = this.lengthOf(URN) > 0;
    const isWhole = field !== undefined && fieldKind(field) !== 'text';
    return readUnquoted(this.text, this.at, isUrn ? 'urn' : isWhole ? 'whole' : 'word');
  }

  /** Skips `name:` when it names a field. A text that starts like a urn is a urn, even if a field is called `urn`. */
  private scanFieldName(): SearchField | undefined {
    if (this.lengthOf(URN) > 0 && !this.text.startsWith('urn:urn:', this.at)) return undefined;
    FIELD_NAME.lastIndex = this.at;
    const name = FIELD_NAME.exec(this.text)?.[1];
    const field = name === undefined ? undefined : this.findField(name);
    if (name !== undefined && field !== undefined) this.at += name.length + 1;
    return field;
  }

  private lengthOf(pattern: RegExp): number {
    pattern.lastIndex = this.at;
    return pattern.exec(this.text)?.[0].length ?? 0;
  }
}
