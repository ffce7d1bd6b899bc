import type { Facet, FacetRequest } from '@stratalog/domain';
import { allSteps, type Steps } from '@stratalog/json';
import { compareKeys } from '@stratalog/search-text';
import type { FacetValue } from './facet-values';

/** Stands between the ids of two documents. */
export const NO_ID = 0;

/** Most bytes that are read in one step. */
const READ_A_STEP = 32_768;
/** Most counts that are compared in one step. */
const COUNTS_A_STEP = 4_096;

/** Bits of an id in one byte; the highest bit says that another byte follows. */
const BITS = 7;
const MORE = 1 << BITS;

/** Encodes ids, from 1, in as few bytes as each needs: the lowest bits first. No byte but that of {@link NO_ID} is 0. */
export function encodeIds(ids: Iterable<number>): Buffer {
  const bytes: number[] = [];
  for (const id of ids) {
    let rest = id;
    for (; rest >= MORE; rest >>>= BITS) bytes.push((rest % MORE) + MORE);
    bytes.push(rest);
  }
  return Buffer.from(bytes);
}

/** Decodes the ids of one document. */
export function decodeIds(bytes: Buffer): readonly number[] {
  const ids: number[] = [];
  allSteps(readIds(bytes, (some) => ids.push(...some)));
  return ids;
}

/**
 * The ids of one part, in memory that all calls share: new memory costs as much as the decoding. It is filled and read without a `yield`
 * between, so no other count overwrites it.
 */
const part = new Int32Array(READ_A_STEP);

/** Decodes ids, and calls `take` with some at a time. */
function* readIds(bytes: Buffer, take: (ids: Int32Array) => void): Steps<void> {
  const state = { id: 0, shift: 0 };
  for (let at = 0; at < bytes.length; at += READ_A_STEP) {
    take(part.subarray(0, decodePart(bytes.subarray(at, at + READ_A_STEP), state)));
    yield;
  }
}

/**
 * Fills {@link part}, and returns the number of ids. `state` has what was read of an id that goes on in the next part.
 *
 * It counts places, as the other functions of parts do: an iterator of bytes or ids takes six times as long.
 */
function decodePart(bytes: Buffer, state: { id: number; shift: number }): number {
  let { id, shift } = state;
  let length = 0;
  const end = bytes.length;
  for (let at = 0; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte >= MORE) {
      id |= (byte - MORE) << shift;
      shift += BITS;
      continue;
    }
    part[length] = id | (byte << shift);
    length += 1;
    id = 0;
    shift = 0;
  }
  state.id = id;
  state.shift = shift;
  return length;
}

/** How many matches have each id: `counts` has the number at the place of the id, and `ids` those with at least one. */
export interface IdCounts {
  readonly counts: Uint32Array;
  readonly ids: readonly number[];
}

/** Counts the matches that have each id. `matches` has the ids of all matches, with {@link NO_ID} between two matches. */
export function* countIds(matches: Buffer): Steps<IdCounts> {
  let counts: Uint32Array = new Uint32Array(FIRST_COUNTS);
  yield* readIds(matches, (ids) => {
    const highest = findHighest(ids);
    if (highest >= counts.length) counts = extend(counts, highest + 1);
    countPart(ids, counts);
  });
  const ids: number[] = [];
  for (let at = 0; at < counts.length; at += READ_A_STEP) {
    counts.subarray(at, at + READ_A_STEP).forEach((count, offset) => {
      if (count > 0 && at + offset !== NO_ID) ids.push(at + offset);
    });
    yield;
  }
  return { counts, ids };
}

const FIRST_COUNTS = 4_096;

function extend(counts: Uint32Array, length: number): Uint32Array {
  const longer = new Uint32Array(Math.max(length, 2 * counts.length));
  longer.set(counts);
  return longer;
}

function findHighest(ids: Int32Array): number {
  let highest = NO_ID;
  const end = ids.length;
  for (let at = 0; at < end; at += 1) {
    const id = ids[at] ?? NO_ID;
    if (id > highest) highest = id;
  }
  return highest;
}

/** A function without steps, which the engine of JavaScript makes ten times as fast. */
function countPart(ids: Int32Array, counts: Uint32Array): void {
  const end = ids.length;
  for (let at = 0; at < end; at += 1) {
    const id = ids[at] ?? NO_ID;
    counts[id] = (counts[id] ?? 0) + 1;
  }
}

/** The matches of a group of facets, counted. */
export interface CountedMatches {
  /** The ids of each match, encoded, with {@link NO_ID} between two matches. */
  readonly matches: Buffer;
  readonly counts: Uint32Array;
  /** The counted values of each field. */
  readonly fields: ReadonlyMap<string, readonly CountedValue[]>;
}

/** A value that some match has. */
interface CountedValue {
  readonly id: number;
  readonly value: string;
}

/** Groups values by their fields. */
export function groupByField(values: ReadonlyMap<number, FacetValue>): CountedMatches['fields'] {
  const fields = new Map<string, CountedValue[]>();
  for (const [id, { field, value }] of values) {
    const own = fields.get(field);
    if (own === undefined) fields.set(field, [{ id, value }]);
    else own.push({ id, value });
  }
  return fields;
}

/** Counts the values of one facet, or the pairs of two fields: the most frequent first, then by value. */
export function* countFacet(
  counted: CountedMatches,
  { fields, always = [] }: FacetRequest,
  limit: number,
): Steps<Facet> {
  const [field, other] = fields;
  const counts = other === undefined ? countValues(counted, field) : yield* countPairs(counted, field, other);
  const first = yield* selectFirst(counts, limit);
  const isKept = new Set(always);
  const kept = counts.filter((count) => isKept.has(count.values[0] ?? '') && !first.includes(count));
  return { counts: [...first, ...kept.sort(compareCounts)] };
}

type Count = Facet['counts'][number];

function countValues({ counts, fields }: CountedMatches, field: string): readonly Count[] {
  return (fields.get(field) ?? []).map(({ id, value }) => ({ values: [value], count: counts[id] ?? 0 }));
}

/** Each match adds one to every pair of a value of the first field and a value of the second. */
function* countPairs(
  { matches, counts, fields }: CountedMatches,
  first: string,
  second: string,
): Steps<readonly Count[]> {
  const [ones, others] = [fields.get(first) ?? [], fields.get(second) ?? []];
  if (ones.length === 0 || others.length === 0) return [];
  const sides = new Uint8Array(counts.length);
  for (const { id } of ones) sides[id] = IS_FIRST;
  for (const { id } of others) sides[id] = (sides[id] ?? 0) | IS_SECOND;
  const state: PairCounting = { sides, pairs: new Map(), ones: [], others: [], one: 0, other: 0 };
  yield* readIds(matches, (ids) => {
    countPairsOfPart(ids, state);
  });
  addPairs(state);
  const values = new Map([...ones, ...others].map(({ id, value }) => [id, value]));
  const valueOf = (id: number): string => values.get(id) ?? '';
  return [...state.pairs].map(([pair, count]) => ({
    values: [valueOf(Math.floor(pair / counts.length)), valueOf(pair % counts.length)],
    count,
  }));
}

const IS_FIRST = 1;
const IS_SECOND = 2;

interface PairCounting {
  /** Of which of the two fields each id is a value. */
  readonly sides: Uint8Array;
  /** The counts of pairs, by the first id times the number of ids plus the second id. */
  readonly pairs: Map<number, number>;
  /** The ids of the current match that are values of either field, and their numbers. */
  readonly ones: number[];
  readonly others: number[];
  one: number;
  other: number;
}

function countPairsOfPart(ids: Int32Array, state: PairCounting): void {
  const { sides, ones, others } = state;
  let { one, other } = state;
  const end = ids.length;
  for (let at = 0; at < end; at += 1) {
    const id = ids[at] ?? NO_ID;
    const side = sides[id] ?? 0;
    if ((side & IS_FIRST) > 0) ones[one++] = id;
    if ((side & IS_SECOND) > 0) others[other++] = id;
    if (id !== NO_ID) continue;
    if (one > 0 && other > 0) addPairs({ ...state, one, other });
    one = 0;
    other = 0;
  }
  Object.assign(state, { one, other });
}

/** Counts the pairs of the current match. */
function addPairs({ sides, pairs, ones, others, one, other }: PairCounting): void {
  for (const first of ones.slice(0, one)) {
    for (const second of others.slice(0, other)) {
      const pair = first * sides.length + second;
      pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
    }
  }
}

/** Selects the first `limit` counts in order, without sorting the others. */
function* selectFirst(counts: readonly Count[], limit: number): Steps<readonly Count[]> {
  const first: Count[] = [];
  for (const [at, count] of counts.entries()) {
    if (at % COUNTS_A_STEP === 0) yield;
    const last = first.at(-1);
    if (first.length === limit && (last === undefined || compareCounts(count, last) >= 0)) continue;
    if (first.length === limit) first.pop();
    first.splice(findPlace(first, count), 0, count);
  }
  return first;
}

/** Returns where a count belongs among ordered ones. */
function findPlace(ordered: readonly Count[], count: Count): number {
  let [from, to] = [0, ordered.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const other = ordered[middle];
    if (other !== undefined && compareCounts(other, count) < 0) from = middle + 1;
    else to = middle;
  }
  return from;
}

function compareCounts(one: Count, other: Count): number {
  if (one.count !== other.count) return other.count - one.count;
  for (const [at, value] of one.values.entries()) {
    const order = compareKeys(value, other.values[at] ?? '');
    if (order !== 0) return order;
  }
  return 0;
}
