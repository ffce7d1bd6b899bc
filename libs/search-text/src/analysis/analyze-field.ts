import type { FieldTokens, FieldValue, PlacedToken, SearchField } from '@stratalog/domain';
import { findCompounds, MAX_ANALYZED_LENGTH } from './compound';
import { fieldKind } from './field-kinds';
import { PathShortener, readablePath, type PlacedValue } from './field-paths';
import { exactToken } from './token';
import { toCompletions } from './completions';
import { urnNames } from './urn-names';

/** Most different tokens of one field; searches do not find later words of the field. */
const MAX_TOKENS_PER_FIELD = 6000;

/** Most tokens of one field, counting each position. */
const MAX_PLACED_PER_FIELD = 16_000;

/** Most words of one value. */
export const MAX_WORDS_PER_VALUE = 4000;

/** Most exact tokens of one field, equal to the limit of a document. */
const MAX_EXACT_TOKENS_PER_FIELD = 4000;

/**
 * Empty positions between two values of a field, and between two fields. One is enough to keep a phrase within one
 * value, because its tokens are at consecutive positions. It also keeps the last position of a document below 16,384,
 * where Postgres stops counting.
 */
export const POSITION_GAP = 1;

const MAX_NUMBER_LENGTH = 40;
const INTEGER = /^[+-]?[0-9]+$/;
const DECIMAL = /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?$/i;

/**
 * Computes the tokens of one field of one document. Never throws.
 *
 * **Order and repeats**: positions count from 1. The same values give the same tokens in the same order. Exact tokens
 * are distinct, those of whole values first.
 */
export function analyzeField(field: SearchField, values: readonly FieldValue[]): FieldTokens {
  const texts = values.map(String);
  return {
    field: field.name,
    queryByDefault: field.queryByDefault,
    boost: field.boost,
    tokens: wordTokens(field, texts),
    exact: exactTokens(field, texts),
    completions: field.autocomplete && fieldKind(field) !== 'urn' ? toCompletions(texts) : [],
  };
}

/** Returns the values as people write them: of a urn, its id. */
export function namesIn(field: SearchField, texts: readonly string[]): readonly string[] {
  return fieldKind(field) === 'urn' ? texts.map(extractWords) : texts;
}

/**
 * Returns the text of a value to split into words. For a urn it is the innermost parts of its id, because `urn` or
 * `dataset` distinguish nothing; for a path of a schema it is the path without its markers.
 */
export function extractWords(text: string): string {
  return urnNames(text)?.leaves.join(' ') ?? readablePath(text);
}

/**
 * Computes the token of a whole value, for fields that match by whole values. Different spellings of one number give
 * one token.
 */
export function toExactToken(field: SearchField, value: string): string {
  if (value.length > MAX_NUMBER_LENGTH) return exactToken(value);
  if (field.type === 'DOUBLE' && DECIMAL.test(value)) return exactToken(String(Number(value)));
  const isInteger = field.type === 'COUNT' || field.type === 'DATETIME';
  return exactToken(isInteger && INTEGER.test(value) ? String(BigInt(value.replace('+', ''))) : value);
}

function wordTokens(field: SearchField, texts: readonly string[]): readonly PlacedToken[] {
  const kind = fieldKind(field);
  if (kind === 'number' && !field.queryByDefault) return [];
  const placed = new PlacedTokens();
  const paths = new PathShortener();
  let unread = MAX_ANALYZED_LENGTH;
  for (const text of texts) {
    const read = (kind === 'urn' ? extractWords(text) : readablePath(text.slice(0, MAX_READ_LENGTH))).slice(
      0,
      unread,
    );
    placed.add(kind === 'text' ? paths.shorten(read) : { text: read, paths: [] });
    unread -= Math.min(unread, read.length);
    if (unread === 0 || placed.isFull) break;
  }
  return placed.tokens;
}

/** Longest part of a value from which markers of paths are removed. */
const MAX_READ_LENGTH = 2 * MAX_ANALYZED_LENGTH;

/** The tokens of one field, with their positions. */
class PlacedTokens {
  readonly tokens: PlacedToken[] = [];
  private next = 1;
  /** The different tokens, once there are so many that their number could matter. */
  private distinct: Set<string> | undefined;

  get isFull(): boolean {
    if (this.tokens.length < MAX_TOKENS_PER_FIELD) return false;
    this.distinct ??= new Set(this.tokens.map(({ token }) => token));
    return this.distinct.size >= MAX_TOKENS_PER_FIELD || this.tokens.length >= MAX_PLACED_PER_FIELD;
  }

  /** Adds the tokens of a value, as many as fit. */
  add({ text, paths }: PlacedValue): void {
    const first = this.next;
    for (const token of paths) this.place(token, first);
    for (const compound of findCompounds(text, MAX_WORDS_PER_VALUE)) {
      for (const { token, position } of compound.tokens) {
        if (!this.place(token, this.next + position)) return;
      }
      this.next += compound.places.length;
    }
    if (this.next > first) this.next += POSITION_GAP;
  }

  private place(token: string, position: number): boolean {
    if (this.isFull) return false;
    this.tokens.push({ token, position });
    this.distinct?.add(token);
    return true;
  }
}

function exactTokens(field: SearchField, texts: readonly string[]): readonly string[] {
  const kind = fieldKind(field);
  if (kind === 'text') return [];
  const exact = new Set<string>();
  const isFull = (): boolean => exact.size >= MAX_EXACT_TOKENS_PER_FIELD;
  for (const text of texts) {
    if (isFull()) break;
    exact.add(toExactToken(field, text));
  }
  if (kind === 'urn') {
    for (const text of texts) {
      if (isFull()) break;
      for (const name of urnNames(text)?.names ?? []) exact.add(exactToken(name));
    }
  }
  return [...exact];
}
