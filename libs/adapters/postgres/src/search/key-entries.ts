import { createHash } from 'node:crypto';
import type { FilterKeys } from '@stratalog/domain';
import { MAX_ASKED_KEY_LENGTH, compareKeys } from '@stratalog/search-text';

/** A row of the table of keys, without its document. */
export interface KeyEntry {
  /** The field and a window of the key. */
  readonly entry: string;
  /** The window begins the key, or ends it. A key of one window does both. */
  readonly isFirst: boolean;
  readonly isLast: boolean;
  /** Set on the first window of the field's lowest and highest key. */
  readonly isLowest: boolean;
  readonly isHighest: boolean;
  /** The field and the whole key, on the first of several windows. */
  readonly whole: string | null;
}

/**
 * Most characters of a window. With its field an entry stays below the 2,704 bytes of an index entry, and few keys have
 * more than one window.
 */
const WINDOW_LENGTH = 600;
/** Characters that a window repeats of the one before, so that every part that a filter may name lies within one. */
const OVERLAP = MAX_ASKED_KEY_LENGTH + 2;
/** Longest field name, in characters, that an entry spells out. */
const MAX_NAME_LENGTH = 200;

const FIELD_END = ':';
/** The character after `FIELD_END`. */
const AFTER_FIELD_END = ';';

/** The range of a field's entries: from `start` to below `end`. */
export interface FieldRange {
  readonly start: string;
  readonly end: string;
}

export function rangeOf(field: string): FieldRange {
  const name =
    field.length > MAX_NAME_LENGTH || field.includes(FIELD_END)
      ? createHash('sha1').update(field).digest('hex')
      : field;
  return { start: name + FIELD_END, end: name + AFTER_FIELD_END };
}

/** True for a key that several windows hold. */
export function isCut(key: string): boolean {
  return key.length > WINDOW_LENGTH;
}

/** True for an entry that only an uncut key has: documents with equal ones are tied in an order. */
export function isWholeKey(entry: string): boolean {
  return entry.length < WINDOW_LENGTH;
}

export function firstWindow(key: string): string {
  return key.slice(0, windowEnd(key, 0));
}

/** Lists the entries of a document's keys, each once. */
export function toKeyEntries(filters: Readonly<Record<string, FilterKeys>>): readonly KeyEntry[] {
  return Object.entries(filters).flatMap(([field, { keys }]) => {
    const [first] = keys;
    if (first === undefined) return [];
    const { start } = rangeOf(field);
    const lowest = keys.reduce((a, b) => (compareKeys(b, a) < 0 ? b : a));
    const highest = keys.reduce((a, b) => (compareKeys(b, a) > 0 ? b : a));
    return keys.flatMap((key) => {
      const ends = { isLowest: key === lowest, isHighest: key === highest };
      if (!isCut(key)) return [{ entry: start + key, isFirst: true, isLast: true, ...ends, whole: null }];
      return cutEntries(start, key, ends);
    });
  });
}

function cutEntries(
  start: string,
  key: string,
  ends: Pick<KeyEntry, 'isLowest' | 'isHighest'>,
): readonly KeyEntry[] {
  const windows = windowsOf(key);
  const entries = windows.map((window, at): KeyEntry => ({
    entry: start + window,
    isFirst: at === 0,
    isLast: at === windows.length - 1,
    isLowest: at === 0 && ends.isLowest,
    isHighest: at === 0 && ends.isHighest,
    whole: at === 0 ? start + key : null,
  }));
  const inner = new Map(entries.slice(1, -1).map((each) => [each.entry, each]));
  return [...entries.slice(0, 1), ...inner.values(), ...entries.slice(-1)];
}

function windowsOf(key: string): readonly string[] {
  const windows: string[] = [];
  for (let from = 0; ;) {
    const end = windowEnd(key, from);
    windows.push(key.slice(from, end));
    if (end === key.length) return windows;
    from = end - OVERLAP;
    if (isInsidePair(key, from)) from--;
  }
}

function windowEnd(key: string, from: number): number {
  const end = Math.min(from + WINDOW_LENGTH, key.length);
  return isInsidePair(key, end) ? end - 1 : end;
}

/** True between the halves of a surrogate pair. */
function isInsidePair(text: string, at: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1));
}
