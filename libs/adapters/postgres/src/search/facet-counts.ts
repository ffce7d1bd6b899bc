import type { Facet, FacetRequest, Steps } from '@stratalog/model';
import { compareKeys } from '@stratalog/search-text';
import type { FacetValue } from './facet-values';

/** Stands between the ids of two documents. */
export const NO_ID = 0;

/** Most bytes or ids that are read in one step. */
const READ_A_STEP = 262_144;
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

/** The ids of all matches, with {@link NO_ID} between two matches. */
export interface MatchIds {
  readonly ids: Int32Array;
  readonly highest: number;
}

/** Decodes ids. */
export function* decodeIds(bytes: Buffer): Steps<MatchIds> {
  const ids = new Int32Array(bytes.length);
  const state: Decoding = { ids, length: 0, highest: NO_ID, id: 0, shift: 0 };
  for (let at = 0; at < bytes.length; at += READ_A_STEP) {
    decodePart(bytes.subarray(at, at + READ_A_STEP), state);
    yield;
  }
  return { ids: ids.subarray(0, state.length), highest: state.highest };
}

interface Decoding {
  readonly ids: Int32Array;
  length: number;
  highest: number;
  /** The part of an id that was read, and the bits that it has. */
  id: number;
  shift: number;
}

/** Counts places, as the other functions of parts do: an iterator of bytes or ids takes six times as long. */
function decodePart(bytes: Buffer, state: Decoding): void {
  const { ids } = state;
  let { length, highest, id, shift } = state;
  const end = bytes.length;
  for (let at = 0; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte >= MORE) {
      id |= (byte - MORE) << shift;
      shift += BITS;
      continue;
    }
    id |= byte << shift;
    ids[length] = id;
    length += 1;
    if (id > highest) highest = id;
    id = 0;
    shift = 0;
  }
  Object.assign(state, { length, highest, id, shift });
}

/** How many matches have each id: `counts` has the number at the place of the id, and `ids` those with at least one. */
export interface IdCounts {
  readonly counts: Uint32Array;
  readonly ids: readonly number[];
}

/** Counts the matches that have each id. */
export function* countIds({ ids: matches, highest }: MatchIds): Steps<IdCounts> {
  const counts = new Uint32Array(highest + 1);
  for (const part of inParts(matches)) {
    countPart(part, counts);
    yield;
  }
  const ids: number[] = [];
  for (let at = 0; at < counts.length; at += READ_A_STEP) {
    counts.subarray(at, at + READ_A_STEP).forEach((count, offset) => {
      if (count > 0 && at + offset !== NO_ID) ids.push(at + offset);
    });
    yield;
  }
  return { counts, ids };
}

function* inParts(matches: Int32Array): Generator<Int32Array> {
  for (let at = 0; at < matches.length; at += READ_A_STEP) yield matches.subarray(at, at + READ_A_STEP);
}

/** A function without steps, which the engine of JavaScript makes ten times as fast. */
function countPart(part: Int32Array, counts: Uint32Array): void {
  const end = part.length;
  for (let at = 0; at < end; at += 1) {
    const id = part[at] ?? NO_ID;
    counts[id] = (counts[id] ?? 0) + 1;
  }
}

/** The matches of a group of facets, counted. */
export interface CountedMatches {
  /** The ids of each match, with {@link NO_ID} between two matches. */
  readonly matches: Int32Array;
  readonly counts: Uint32Array;
  readonly values: ReadonlyMap<number, FacetValue>;
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

function countValues({ counts, values }: CountedMatches, field: string): readonly Count[] {
  return [...values].flatMap(([id, own]) =>
    own.field === field ? [{ values: [own.value], count: counts[id] ?? 0 }] : [],
  );
}

/** Each match adds one to every pair of a value of the first field and a value of the second. */
function* countPairs(
  { matches, counts, values }: CountedMatches,
  first: string,
  second: string,
): Steps<readonly Count[]> {
  const fields = new Uint8Array(counts.length);
  for (const [id, { field }] of values)
    fields[id] = (field === first ? IS_FIRST : 0) | (field === second ? IS_SECOND : 0);
  const state: PairCounting = { fields, pairs: new Map(), ones: [], others: [], one: 0, other: 0 };
  for (const part of inParts(matches)) {
    countPairsOfPart(part, state);
    yield;
  }
  addPairs(state);
  const valueOf = (id: number): string => values.get(id)?.value ?? '';
  return [...state.pairs].map(([pair, count]) => ({
    values: [valueOf(Math.floor(pair / counts.length)), valueOf(pair % counts.length)],
    count,
  }));
}

const IS_FIRST = 1;
const IS_SECOND = 2;

interface PairCounting {
  /** Of which of the two fields each id is a value. */
  readonly fields: Uint8Array;
  /** The counts of pairs, by the first id times the number of ids plus the second id. */
  readonly pairs: Map<number, number>;
  /** The ids of the current match that are values of either field, and their numbers. */
  readonly ones: number[];
  readonly others: number[];
  one: number;
  other: number;
}

function countPairsOfPart(part: Int32Array, state: PairCounting): void {
  const { fields, ones, others } = state;
  let { one, other } = state;
  const end = part.length;
  for (let at = 0; at < end; at += 1) {
    const id = part[at] ?? NO_ID;
    const field = fields[id] ?? 0;
    if ((field & IS_FIRST) > 0) ones[one++] = id;
    if ((field & IS_SECOND) > 0) others[other++] = id;
    if (id !== NO_ID) continue;
    if (one > 0 && other > 0) addPairs({ ...state, one, other });
    one = 0;
    other = 0;
  }
  Object.assign(state, { one, other });
}

/** Counts the pairs of the current match. */
function addPairs({ fields, pairs, ones, others, one, other }: PairCounting): void {
  for (const first of ones.slice(0, one)) {
    for (const second of others.slice(0, other)) {
      const pair = first * fields.length + second;
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
