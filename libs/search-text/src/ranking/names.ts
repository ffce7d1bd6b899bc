import { NAME_FIELD, type FieldTokens, type FieldValue, type SearchField } from '@stratalog/domain';
import { extractWords } from '../analysis/analyze-field';
import { findCompounds } from '../analysis/compound';
import { stemWord } from '../analysis/stem-word';
import { fieldKind } from '../analysis/field-kinds';
import { toTier } from './score-tier';

/** Longest compared name without separators, in characters. */
export const MAX_NAME_LENGTH = 200;
/** Most values of all fields whose names are compared; an entity has one name, or a few. */
const MAX_NAMED_VALUES = 8;
/**
 * Begins the names that are no last step of a path: whole values, and the last two steps. So `orders` is told from the end of
 * `shop.orders`, and from the folder of `orders/2024.csv`.
 */
export const WHOLE_MARK = '/';
/** Most characters of a value that are read. */
const MAX_READ_LENGTH = 1_000;

/** First words of names that people leave out: articles, and the layer of a warehouse as in `dim_customers`. */
const LEADING_WORDS: ReadonlySet<string> = new Set([
  ...['a', 'an', 'the'],
  ...['agg', 'dim', 'fact', 'fct', 'rpt', 'tbl', 'vw'],
]);

const PATH_STEP = /[./:\\]+/;

/**
 * Computes the compared names of a document from its {@link writtenNames}: of each the whole value and, if it is a path, the
 * last two steps, both behind {@link WHOLE_MARK}, and the last step. Each is written as one word, so `sales.customer_orders`,
 * `customer orders` and `CustomerOrders` have a name in common.
 *
 * **Shape**: the completions of a field that no query names.
 */
export function analyzeNames(written: readonly string[]): FieldTokens {
  const names = new Set<string>();
  for (const each of new Set(written)) addNames(each, names);
  return {
    field: NAME_FIELD,
    queryByDefault: false,
    boost: 0,
    tokens: [],
    exact: [],
    completions: [...names],
  };
}

/** Returns the values of the fields that hold names, each as far as it is read. */
export function writtenNames(
  fields: ReadonlyMap<string, SearchField>,
  values: ReadonlyMap<string, readonly FieldValue[]>,
): readonly string[] {
  const written: string[] = [];
  for (const [name, own] of values) {
    const field = fields.get(name);
    if (field === undefined || !field.queryByDefault || toTier(field.boost) !== 1) continue;
    const isUrn = fieldKind(field) === 'urn';
    for (const value of own.slice(0, MAX_NAMED_VALUES - written.length)) {
      written.push((isUrn ? extractWords(String(value)) : String(value)).slice(0, MAX_READ_LENGTH));
    }
  }
  return written;
}

/** Joins the words of a name; `undefined` when it has none. */
export function joinName(words: readonly string[]): string | undefined {
  return words.length === 0 ? undefined : words.join('').slice(0, MAX_NAME_LENGTH);
}

function addNames(written: string, names: Set<string>): void {
  const steps = written
    .split(PATH_STEP)
    .map(splitWords)
    .filter((words) => words.length > 0);
  const last = steps.at(-1);
  if (last === undefined) return;
  // `sales.orders.v1`: the version is part of no name that people type.
  const unversioned = steps.length > 1 && isVersion(last) ? steps.slice(0, -1) : steps;
  const own = unversioned.at(-1) ?? last;
  const shortened = own.length > 1 && LEADING_WORDS.has(own[0] ?? '') ? own.slice(1) : undefined;
  spellName(own, '', names);
  if (shortened !== undefined) spellName(shortened, '', names);
  spellName(steps.flat(), WHOLE_MARK, names);
  if (unversioned.length < steps.length) spellName(unversioned.flat(), WHOLE_MARK, names);
  if (unversioned.length > 2) spellName(unversioned.slice(-2).flat(), WHOLE_MARK, names);
  if (unversioned.length > 1) return;
  spellName(own, WHOLE_MARK, names);
  if (shortened !== undefined) spellName(shortened, WHOLE_MARK, names);
}

/** Adds a name as one word: as it is, and with a stem at its end. */
function spellName(words: readonly string[], mark: string, names: Set<string>): void {
  const last = words.at(-1);
  if (last === undefined) return;
  names.add(mark + (joinName(words) ?? ''));
  if (stemWord(last) !== last) names.add(mark + (joinName(withStem(words)) ?? ''));
}

/** Replaces the last word by its stem, so that singular and plural are one name. */
export function withStem(words: readonly string[]): readonly string[] {
  return words.map((word, at) => (at === words.length - 1 ? stemWord(word) : word));
}

function isVersion(words: readonly string[] | undefined): boolean {
  return words?.length === 1 && /^v[0-9]+$/.test(words[0] ?? '');
}

function splitWords(text: string): readonly string[] {
  return findCompounds(text).flatMap(({ places }) => places);
}
