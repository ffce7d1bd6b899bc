import { InvalidRequestError } from '@stratalog/model';
import { decodeOnce } from './decode-once';
import { describeInteger, toInteger, toLong, type IntegerBounds } from './to-integer';

/**
 * The query of one request. Nothing is decoded before it is asked for, because in `List(a,b)` a comma separates while an
 * encoded one belongs to its element.
 */
export class QueryParameters {
  constructor(private readonly text: string) {}

  /** Whether the query names the parameter, with or without a value. */
  has(name: string): boolean {
    return this.raw(name).length > 0;
  }

  /** The value of the parameter, decoded once; a plus is a blank here. Of two nobody could say which is meant. */
  optional(name: string): string | undefined {
    const [raw, ...more] = this.raw(name);
    if (more.length > 0) throw new InvalidRequestError(`Parameter '${name}' is given more than once`);
    return raw === undefined ? undefined : decode(name, raw);
  }

  optionalOneOf<Word extends string>(name: string, words: readonly Word[]): Word | undefined {
    const text = this.optional(name);
    if (text === undefined || text === '') return undefined;
    const word = words.find((each) => each === text.toUpperCase());
    if (word === undefined) throw invalid(name, text, `one of ${words.join(', ')}`);
    return word;
  }

  required(name: string): string {
    const value = this.optional(name);
    if (value === undefined || value === '') throw new InvalidRequestError(`Parameter '${name}' is required`);
    return value;
  }

  optionalInteger(name: string, bounds: IntegerBounds = {}): number | undefined {
    return this.number(name, bounds, toInteger);
  }

  /** An integer of 64 bits; those beyond what a double holds count as the last that it holds. */
  optionalLong(name: string, bounds: Pick<IntegerBounds, 'minimum'> = {}): number | undefined {
    return this.number(name, bounds, toLong);
  }

  /**
   * The elements of a list parameter in any of its spellings, whatever the protocol header says: `x=List(a,b)`, `x=a`, `x=a,b`,
   * `x=a&x=b`. Each element is decoded once. Commas inside parentheses belong to a urn. `undefined` when the parameter is absent.
   */
  list(name: string): readonly string[] | undefined {
    const raws = this.raw(name);
    if (raws.length === 0) return undefined;
    return raws.flatMap((raw) => elementsOf(name, raw));
  }

  requiredList(name: string): readonly string[] {
    const elements = this.list(name);
    if (elements === undefined) throw new InvalidRequestError(`Parameter '${name}' is required`);
    return elements;
  }

  private number(
    name: string,
    bounds: IntegerBounds,
    read: (text: string, bounds: IntegerBounds) => number | undefined,
  ): number | undefined {
    const text = this.optional(name);
    if (text === undefined || text === '') return undefined;
    const value = read(text, bounds);
    if (value === undefined) throw invalid(name, text, describeInteger(bounds));
    return value;
  }

  private raw(name: string): readonly string[] {
    const values: string[] = [];
    for (const pair of this.text.split('&')) {
      const equalsAt = pair.indexOf('=');
      const key = equalsAt === -1 ? pair : pair.slice(0, equalsAt);
      if (key === name || decodeOnce(key) === name)
        values.push(equalsAt === -1 ? '' : pair.slice(equalsAt + 1));
    }
    return values;
  }
}

const LIST = /^List\((.*)\)$/s;

function elementsOf(name: string, raw: string): readonly string[] {
  const list = LIST.exec(raw);
  if (list !== null) {
    const elements = splitOutsideParentheses(list[1] ?? '').map((element) => decode(name, element));
    return elements.length === 1 ? elements.flatMap(separated) : elements;
  }
  const whole = decode(name, raw);
  const encodedList = LIST.exec(whole);
  if (encodedList !== null) return splitOutsideParentheses(encodedList[1] ?? '');
  if (whole.startsWith('List(')) throw invalid(name, whole);
  return splitOutsideParentheses(raw).flatMap((element) => separated(decode(name, element)));
}

/** `(urn:` begins a urn with its versions. */
const URN = /^\(?(?:urn|versionStamp):/;

/**
 * Encoded commas of a text that came as one: some encode a whole list, and leave its parentheses. They separate names, which have
 * none, and urns where each part is one.
 */
function separated(text: string): readonly string[] {
  const parts = splitOutsideParentheses(text);
  return URN.test(text) && !parts.every((part) => URN.test(part)) ? [text] : parts;
}

function splitOutsideParentheses(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '(') depth++;
    else if (character === ')') depth = Math.max(0, depth - 1);
    else if (character === ',' && depth === 0) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  parts.push(text.slice(from));
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

function decode(name: string, raw: string): string {
  const value = decodeOnce(raw.replaceAll('+', ' '));
  if (value === undefined) throw invalid(name, raw);
  return value.trim();
}

function invalid(name: string, value: string, wanted?: string): InvalidRequestError {
  const why = wanted === undefined ? '' : `: it must be ${wanted}`;
  return new InvalidRequestError(`Argument parameter '${name}' value '${value}' is invalid${why}`);
}
