import { InvalidRequestError } from '@stratalog/domain';
import { decodeOnce } from './decode-once';
import { MAX_ELEMENT_LENGTH, MAX_QUERY_PARTS } from './request-limits';

/** The most names that are compared with a missing one: more than any call has. */
const MAX_NAMES = 100;

/**
 * The query of one request. Each reader decodes for itself: in `List(a,b)` a comma separates elements, while
 * an encoded comma belongs to its element.
 */
export class QueryParameters {
  private named: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(private readonly text: string) {}

  /** True when the query names the parameter, with or without a value. */
  has(name: string): boolean {
    return this.raw(name).length > 0;
  }

  /**
   * The value of the parameter, decoded once; a plus is a blank here. A repeated parameter is ambiguous and
   * is rejected.
   */
  optional(name: string): string | undefined {
    const [raw, ...more] = this.raw(name);
    if (more.length > 0) throw new InvalidRequestError(`Parameter '${name}' is given more than once`);
    return raw === undefined ? undefined : decode(name, raw);
  }

  /**
   * The elements of a list parameter in any of its spellings, whatever the protocol header says:
   * `x=List(a,b)`, `x=a`, `x=a,b`, `x=a&x=b`. Each element is decoded once. Commas inside parentheses belong
   * to a urn. `undefined` when the parameter is absent.
   */
  list(name: string): readonly string[] | undefined {
    const raws = this.raw(name);
    if (raws.length === 0) return undefined;
    return raws.flatMap((raw) => toElements(name, raw));
  }

  /** The first names of the query, decoded. */
  names(): readonly string[] {
    return [...this.values().keys()].slice(0, MAX_NAMES).filter((name) => name !== '');
  }

  private values(): ReadonlyMap<string, readonly string[]> {
    return (this.named ??= valuesByName(this.text));
  }

  private raw(name: string): readonly string[] {
    return this.values().get(name) ?? [];
  }
}

/** **Errors**: `InvalidRequestError` for more than {@link MAX_QUERY_PARTS} parameters. */
function valuesByName(text: string): ReadonlyMap<string, readonly string[]> {
  const named = new Map<string, string[]>();
  const pairs = text.split('&', MAX_QUERY_PARTS + 1);
  if (pairs.length > MAX_QUERY_PARTS) {
    throw new InvalidRequestError(`The query has more than ${String(MAX_QUERY_PARTS)} parameters`);
  }
  for (const pair of pairs) {
    const equalsAt = pair.indexOf('=');
    const key = equalsAt === -1 ? pair : pair.slice(0, equalsAt);
    // A name above this length matches no parameter, so it stays encoded.
    const name = key.length > MAX_ELEMENT_LENGTH ? key : (decodeOnce(key) ?? key);
    const value = equalsAt === -1 ? '' : pair.slice(equalsAt + 1);
    const values = named.get(name);
    if (values === undefined) named.set(name, [value]);
    else values.push(value);
  }
  return named;
}

const LIST = /^List\((.*)\)$/s;
/**
 * An encoded list is decoded as a whole. Any other value is decoded per element, because only an element's
 * length is bounded.
 */
const ENCODED_LIST = /^(?:\s|\+|%20|%09)*(?:L|%4c)(?:i|%69)(?:s|%73)(?:t|%74)(?:\(|%28)/i;

function toElements(name: string, raw: string): readonly string[] {
  const list = LIST.exec(raw);
  if (list !== null) {
    const elements = splitOutsideParentheses(name, list[1] ?? '').map((element) => decode(name, element));
    return elements.length === 1 ? elements.flatMap((element) => separated(name, element)) : elements;
  }
  if (ENCODED_LIST.test(raw)) {
    const whole = decodeWhole(name, raw);
    const encodedList = LIST.exec(whole);
    if (encodedList === null) throw invalid(name, whole);
    return splitOutsideParentheses(name, encodedList[1] ?? '');
  }
  return splitOutsideParentheses(name, raw).flatMap((element) => separated(name, decode(name, element)));
}

/** `(urn:` begins a urn with its versions. */
const URN = /^\(?(?:urn|versionStamp):/;

/**
 * Splits at encoded commas. Some clients encode a whole list and omit its parentheses. Such commas separate
 * names, which contain no comma, and urns where each part is a urn.
 */
function separated(name: string, text: string): readonly string[] {
  const parts = splitOutsideParentheses(name, text);
  return URN.test(text) && !parts.every((part) => URN.test(part)) ? [text] : parts;
}

/** **Errors**: `InvalidRequestError` for more than {@link MAX_QUERY_PARTS}. */
function splitOutsideParentheses(name: string, text: string): readonly string[] {
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
      if (parts.length >= MAX_QUERY_PARTS) {
        throw new InvalidRequestError(
          `Parameter '${name}' has more than ${String(MAX_QUERY_PARTS)} elements`,
        );
      }
    }
  }
  parts.push(text.slice(from));
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

function decode(name: string, raw: string): string {
  if (raw.length > MAX_ELEMENT_LENGTH) {
    throw new InvalidRequestError(
      `Parameter '${name}' has a value of more than ${String(MAX_ELEMENT_LENGTH)} characters: ${raw.slice(0, 100)}…`,
    );
  }
  return decodeWhole(name, raw);
}

function decodeWhole(name: string, raw: string): string {
  const value = decodeOnce(raw.replaceAll('+', ' '));
  if (value === undefined) throw invalid(name, raw);
  return value.trim();
}

function invalid(name: string, value: string): InvalidRequestError {
  return new InvalidRequestError(`Argument parameter '${name}' value '${value}' is invalid`);
}
