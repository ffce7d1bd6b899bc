import { parseJson, type JsonObject, type JsonValue } from './json';
import { endOfRun, nextSignAt, type Run } from './json-runs';
import { MAX_JSON_DEPTH, parseUntrustedJson } from './parse-untrusted-json';
import { parseLargeString } from './large-string';
import type { Steps } from './steps';

/** Texts up to this length are parsed in one step, in about a millisecond. **Units**: characters. */
export const LARGE_JSON_LENGTH = 64 * 1024;
/** Most members and elements in one text. A 16 MB body of real metadata has a quarter of it. */
export const MAX_JSON_VALUES = 1_000_000;
/**
 * Most members of one object; no record or map of metadata comes near. A pass over all of them takes a few
 * milliseconds.
 */
export const MAX_OBJECT_MEMBERS = 20_000;
/** Deepest level of a large value. */
const MAX_LARGE_DEPTH = 32;

/**
 * A parsed value and its large objects and lists. Code that walks the value in steps descends into these and handles
 * the others at once.
 */
export interface ParsedJson {
  readonly value: JsonValue;
  readonly large: ReadonlySet<JsonValue>;
}

/**
 * Parses a client's JSON text as {@link parseUntrustedJson} does, but one piece per step.
 * The parser reads runs of members at once, and this function joins them to large objects and lists.
 *
 * **Errors**: `SyntaxError` as there. Also for more than {@link MAX_JSON_VALUES} values, for more than
 * {@link MAX_OBJECT_MEMBERS} members of one object, and for a large value nested deeper than 32 levels. The message
 * names the path.
 */
export function* parseUntrustedInSteps(
  text: string,
  { largeLength = LARGE_JSON_LENGTH, maxValues = MAX_JSON_VALUES }: ParseOptions = {},
): Steps<ParsedJson> {
  if (text.length <= largeLength) return { value: parseUntrustedJson(text), large: NONE };
  return yield* parsedBy(new LargeParser(text, largeLength, { isBounded: true, maxValues }));
}

export interface ParseOptions {
  readonly largeLength?: number;
  /** Most members and elements; {@link MAX_JSON_VALUES} by default. */
  readonly maxValues?: number;
}

/** Parses a stored value in steps, without size limits: the limits may have been wider at the time of the write. */
export function* parseInSteps(text: string): Steps<ParsedJson> {
  if (text.length <= LARGE_JSON_LENGTH) return { value: parseJson(text), large: NONE };
  return yield* parsedBy(
    new LargeParser(text, LARGE_JSON_LENGTH, { isBounded: false, maxValues: MAX_JSON_VALUES }),
  );
}

function* parsedBy(parser: LargeParser): Steps<ParsedJson> {
  const value = yield* parser.whole();
  return { value, large: parser.large };
}

const NONE: ReadonlySet<JsonValue> = new Set();
const ENDS_EARLY = 'Unexpected end of JSON input';
const CLOSING = { '{': '}', '[': ']' } as const;

class LargeParser {
  readonly large = new Set<JsonValue>();
  private readonly path: string[] = [];
  private at = 0;
  private values = 0;

  constructor(
    private readonly text: string,
    private readonly largeLength: number,
    private readonly options: { readonly isBounded: boolean; readonly maxValues: number },
  ) {}

  *whole(): Steps<JsonValue> {
    const value = yield* this.largeValue();
    this.at = nextSignAt(this.text, this.at);
    if (this.at < this.text.length) throw this.unexpected();
    return value;
  }

  /** A value that may be large, or be missing. */
  private *largeValue(): Steps<JsonValue> {
    this.at = nextSignAt(this.text, this.at);
    switch (this.text[this.at]) {
      case '{':
        return yield* this.container('{');
      case '[':
        return yield* this.container('[');
      case '"': {
        const { text, end } = yield* parseLargeString(this.text, this.at);
        this.at = end;
        return text;
      }
      default:
        return this.scalar();
    }
  }

  /** A number or word after a long member name. */
  private scalar(): JsonValue {
    const word = /[^ \t\r\n,:{}[\]"]*/y;
    word.lastIndex = this.at;
    const [written = ''] = word.exec(this.text) ?? [];
    if (written === '') throw this.unexpected();
    const [value = null] = this.parsed(`[${written}]`) as JsonValue[];
    this.at += written.length;
    return value;
  }

  private *container(opening: '{' | '['): Steps<JsonValue> {
    if (this.options.isBounded && this.path.length >= MAX_LARGE_DEPTH) {
      throw new SyntaxError(
        `${this.place()} has more than ${String(this.largeLength)} characters and is nested deeper than ${String(MAX_LARGE_DEPTH)} levels`,
      );
    }
    const target = opening === '{' ? {} : [];
    this.large.add(target);
    this.at++;
    const members = { target, count: 0 };
    for (let isFirst = true; ; isFirst = false) {
      yield;
      this.at = nextSignAt(this.text, this.at);
      const run = endOfRun(this.text, this.at, this.largeLength);
      if (run === undefined) yield* this.largeMember(members);
      else {
        const isEmpty = nextSignAt(this.text, this.at) >= run.end;
        if (!isEmpty) this.addRun(members, run);
        this.at = run.end;
        if (isEmpty && !(isFirst && run.isLast)) throw this.unexpected();
      }
      const sign = this.text[this.at++];
      if (sign === CLOSING[opening]) return target;
      if (sign !== ',') {
        this.at--;
        throw this.unexpected();
      }
    }
  }

  /** Adds several members or elements that the parser reads together. */
  private addRun(members: Members, { end, values }: Run): void {
    const { target } = members;
    this.count(values);
    const run = this.text.slice(this.at, end);
    const part = this.parsed(Array.isArray(target) ? `[${run}]` : `{${run}}`);
    if (Array.isArray(target)) {
      for (const element of part as JsonValue[]) target.push(element);
      return;
    }
    for (const name of Object.keys(part as JsonObject)) {
      this.setMember(members, name, (part as JsonObject)[name] ?? null);
    }
  }

  /** Adds one large member or element; leaves the cursor at the character after it. */
  private *largeMember(members: Members): Steps<void> {
    const { target } = members;
    if (this.text.length - this.at < this.largeLength) throw new SyntaxError(ENDS_EARLY);
    this.count(1);
    const name = Array.isArray(target) ? String(target.length) : this.memberName();
    this.path.push(name);
    const value = yield* this.largeValue();
    this.path.pop();
    if (Array.isArray(target)) target.push(value);
    else this.setMember(members, name, value);
    this.at = nextSignAt(this.text, this.at);
  }

  private memberName(): string {
    const from = nextSignAt(this.text, this.at);
    const colon = /"(?:[^"\\]|\\.){0,65536}"[ \t\r\n]*:/sy;
    colon.lastIndex = from;
    const written = colon.exec(this.text)?.[0];
    if (written === undefined) throw this.unexpected();
    const [name = ''] = Object.keys(this.parsed(`{${written}0}`) as JsonObject);
    this.at = from + written.length;
    return name;
  }

  private setMember(members: Members, name: string, value: JsonValue): void {
    const target = members.target as JsonObject;
    if (Object.hasOwn(target, name)) {
      throw new SyntaxError(`the member '${name.slice(0, MAX_SHOWN_LENGTH)}' is there twice`);
    }
    if (++members.count > MAX_OBJECT_MEMBERS && this.options.isBounded) {
      throw new SyntaxError(`${this.place()} has more than ${String(MAX_OBJECT_MEMBERS)} members`);
    }
    target[name] = value;
  }

  private count(values: number): void {
    this.values += values;
    if (this.values > this.options.maxValues && this.options.isBounded) {
      throw new SyntaxError(
        `it has more than ${String(this.options.maxValues)} values, the last of them in ${this.place()}`,
      );
    }
  }

  private parsed(text: string): JsonValue {
    try {
      // What is stored was checked when it was written.
      if (!this.options.isBounded) return parseJson(text);
      return parseUntrustedJson(text, MAX_JSON_DEPTH - this.path.length);
    } catch (error) {
      throw error instanceof SyntaxError
        ? new SyntaxError(this.placed(error.message), { cause: error })
        : error;
    }
  }

  /** Converts a position within the piece, as the parser reports it, to a position in the whole text. */
  private placed(message: string): string {
    return message.replace(/at position (\d+)/, (_, digits: string) => {
      return `at position ${String(this.at + Number(digits) - 1)}`;
    });
  }

  private unexpected(): SyntaxError {
    const character = this.text[this.at];
    if (character === undefined) return new SyntaxError(ENDS_EARLY);
    return new SyntaxError(`Unexpected token '${character}' at position ${String(this.at)}`);
  }

  private place(): string {
    return this.path.length === 0
      ? 'the value'
      : `/${this.path.map((step) => step.slice(0, MAX_SHOWN_LENGTH)).join('/')}`;
  }
}

interface Members {
  readonly target: JsonValue[] | JsonObject;
  count: number;
}

const MAX_SHOWN_LENGTH = 100;
