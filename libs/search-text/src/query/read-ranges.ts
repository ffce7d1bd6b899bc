import {
  numbersField,
  propertyField,
  type RangeEnd,
  type SearchCriterion,
  type SearchField,
} from '@stratalog/domain';
import { fieldKind } from '../analysis/field-kinds';
import { toFilterKey } from '../analysis/filter-keys';
import { FieldNames } from './field-names';

/** The ranges of a query, and the text without them. */
export interface ReadRanges {
  readonly text: string;
  readonly ranges: readonly SearchCriterion[];
  /**
   * The text with a mark in place of each range, for {@link splitQuery}. Absent when matches must meet all ranges: none stands
   * within parentheses, next to `OR` or behind `NOT`.
   */
  readonly marked?: string;
  /** Why the query cannot be answered: a range has a wrong end. */
  readonly fault?: string;
}

/** Encloses the number of a range in a marked text; no word has it. */
const MARK = '\uf8ff';
const MARKED = /^\uf8ff(\d{1,4})\uf8ff$/;

/** Returns the number of the range that a word of a marked text stands for. */
export function readMark(word: string): number | undefined {
  const number = MARKED.exec(word)?.[1];
  return number === undefined ? undefined : Number(number);
}

const RANGE =
  /(?<sign>[-!]?)(?<name>[\p{L}_][\p{L}\p{N}_.$-]{0,99}):(?:(?<operator>[<>]=?)(?<value>[^\s()"]{1,100})|(?<open>[[{])\s*(?<from>[^\s[\]{}"]{1,100})\s+TO\s+(?<to>[^\s[\]{}"]{1,100})\s*(?<close>[\]}]))(?=$|[\s)])/uy;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DAY_MS = 86_400_000;
const NUMBER = /^[+-]?(?:\d{1,30}\.?\d{0,30}|\.\d{1,30})(?:e[+-]?\d{1,3})?$/i;
const OPEN_END = '*';

type RangeTest = Pick<Extract<SearchCriterion, { condition: 'range' }>, 'from' | 'to'>;

/**
 * Takes the ranges out of a query: `rowCount:>100`, `rowCount:[10 TO 20}`, `lastModified:[2026-01-01 TO 2026-02-01]`. A range compares numbers, or
 * dates as days and instants of ISO 8601; a day that ends a range is part of it as a whole.
 *
 * Never throws, and takes linear time for any text.
 */
export function readRanges(text: string, fields: ReadonlyMap<string, SearchField>): ReadRanges {
  if (!text.includes(':')) return { text, ranges: [] };
  const names = FieldNames.of(fields);
  const ranges: SearchCriterion[] = [];
  const rest: string[] = [];
  let isGrouped = false;
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length;) {
    const isStart = at === 0 || /[\s(]/.test(text.charAt(at - 1));
    const found = isStart ? matchAt(text, at) : undefined;
    const field = found === undefined ? undefined : names.find(found.name);
    if (found === undefined || field === undefined) {
      if (text[at] === '(') depth++;
      else if (text[at] === ')') depth--;
      at = text[at] === '"' ? endOfQuote(text, at) : at + 1;
      continue;
    }
    const range =
      propertyField(field.name) === undefined ? readRange(field, found) : readPropertyRange(field, found);
    if (typeof range === 'string') return { text, ranges: [], fault: range };
    if (depth > 0 || /(?:^|\s)NOT\s+$/.test(text.slice(from, at))) isGrouped = true;
    const own = (field.meanings ?? [field]).map(({ name }) => name);
    ranges.push({ condition: 'range', fields: own, negated: found.sign !== '', ...range });
    rest.push(text.slice(from, at));
    at += found.length;
    from = at;
  }
  rest.push(text.slice(from));
  const without = rest.join('');
  if (ranges.length === 0) return { text, ranges };
  if (!isGrouped && !/(?:^|\s)(?:OR|\|\|)(?:\s|$)/.test(without)) return { text: without, ranges };
  const marked = rest
    .map((part, at) => part.replaceAll(MARK, ' ') + (at < ranges.length ? MARK + String(at) + MARK : ''))
    .join('');
  return { text: without, ranges, marked };
}

interface RangeMatch {
  readonly length: number;
  readonly sign: string;
  readonly name: string;
  readonly from?: RangeEndText;
  readonly to?: RangeEndText;
}

interface RangeEndText {
  readonly text: string;
  readonly isIncluded: boolean;
}

function matchAt(text: string, at: number): RangeMatch | undefined {
  RANGE.lastIndex = at;
  const match = RANGE.exec(text);
  const parts = match?.groups;
  if (match === null || parts === undefined) return undefined;
  const { sign = '', name = '', operator, value = '', open, from = '', to = '', close } = parts;
  const found = { length: match[0].length, sign, name };
  if (operator === undefined) {
    return {
      ...found,
      ...(from === OPEN_END ? {} : { from: { text: from, isIncluded: open === '[' } }),
      ...(to === OPEN_END ? {} : { to: { text: to, isIncluded: close === ']' } }),
    };
  }
  const end = { text: value, isIncluded: operator.length === 2 };
  return { ...found, ...(operator.startsWith('>') ? { from: end } : { to: end }) };
}

/** Reads the ends for a structured property, whose dates are texts. */
function readPropertyRange(
  field: SearchField,
  match: RangeMatch,
): (RangeTest & { readonly fields?: readonly string[] }) | string {
  const { from, to } = match;
  const ends = [from, to].filter((end) => end !== undefined);
  if (!ends.every(({ text }) => DAY.test(text))) {
    const range = readRange({ ...field, type: 'DOUBLE' }, match);
    return typeof range === 'string' ? range : { ...range, fields: [numbersField(field.name)] };
  }
  const toEnd = ({ text, isIncluded }: RangeEndText): RangeEnd => ({ key: toFilterKey(text), isIncluded });
  return {
    ...(from === undefined ? {} : { from: toEnd(from) }),
    ...(to === undefined ? {} : { to: toEnd(to) }),
  };
}

/** Reads both ends; a text is the reason why one is wrong. */
function readRange(field: SearchField, { from, to }: RangeMatch): RangeTest | string {
  if (fieldKind(field) !== 'number' || field.type === 'BOOLEAN')
    return `${field.name} holds no numbers or dates, and a range compares these`;
  const ends: { from?: RangeEnd; to?: RangeEnd } = {};
  for (const [side, end] of [
    ['from', from],
    ['to', to],
  ] as const) {
    if (end === undefined) continue;
    // A day means its first moment where a range includes it from there on, or excludes it and what follows.
    const isWholeDay = DAY.test(end.text) && (side === 'to') === end.isIncluded;
    const value = readEnd(end.text);
    if (value === undefined) return `"${end.text}" is no number and no date`;
    ends[side] = isWholeDay
      ? { key: toFilterKey(value + DAY_MS), isIncluded: side === 'from' }
      : { key: toFilterKey(value), isIncluded: end.isIncluded };
  }
  return ends;
}

function readEnd(text: string): number | undefined {
  if (NUMBER.test(text)) return Number(text);
  if (!/^\d{4}-\d{2}-\d{2}(?:T[\d:.]{2,15}(?:Z|[+-]\d{2}:\d{2})?)?$/.test(text)) return undefined;
  const ms = Date.parse(DAY.test(text) ? `${text}T00:00:00Z` : text);
  return Number.isNaN(ms) ? undefined : ms;
}

function endOfQuote(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}
