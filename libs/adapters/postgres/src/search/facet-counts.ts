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

/** Decodes ids, with {@link NO_ID} where it stands between two documents. */
export function* decodeIds(bytes: Buffer): Steps<Int32Array> {
  const ids = new Int32Array(bytes.length);
  const state: Decoding = { ids, length: 0, id: 0, shift: 0 };
  for (let at = 0; at < bytes.length; at += READ_A_STEP) {
    decodePart(bytes.subarray(at, at + READ_A_STEP), state);
    yield;
  }
  return ids.subarray(0, state.length);
}

interface Decoding {
  readonly ids: Int32Array;
  length: number;
  /** The part of an id that was read, and the bits that it has. */
  id: number;
  shift: number;
}

function decodePart(bytes: Buffer, state: Decoding): void {
  let { length, id, shift } = state;
  for (const byte of bytes) {
    id |= (byte % MORE) << shift;
    if (byte >= MORE) {
      shift += BITS;
      continue;
    }
    state.ids[length] = id;
    length += 1;
    id = 0;
    shift = 0;
  }
  Object.assign(state, { length, id, shift });
}

/** How many matches have each id: `counts` has the number at the place of the id, and `ids` those with at least one. */
export interface IdCounts {
  readonly counts: Uint32Array;
  readonly ids: readonly number[];
}

/** Counts the matches that have each id. */
export function* countIds(matches: Int32Array): Steps<IdCounts> {
  let highest = NO_ID;
  for (const part of inParts(matches)) {
    highest = part.reduce((high, id) => (id > high ? id : high), highest);
    yield;
  }
  const counts = new Uint32Array(highest + 1);
  const ids: number[] = [];
  for (const part of inParts(matches)) {
    countPart(part, counts, ids);
    yield;
  }
  return { counts, ids: ids.filter((id) => id !== NO_ID) };
}

function* inParts(matches: Int32Array): Generator<Int32Array> {
  for (let at = 0; at < matches.length; at += READ_A_STEP) yield matches.subarray(at, at + READ_A_STEP);
}

/** A function without steps, which the engine of JavaScript makes ten times as fast. */
function countPart(part: Int32Array, counts: Uint32Array, ids: number[]): void {
  for (const id of part) {
    const before = counts[id] ?? 0;
    if (before === 0) ids.push(id);
    counts[id] = before + 1;
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
  for (const [id, { field }] of values) fields[id] = Number(field === first) + 2 * Number(field === second);
  const pairs = new Map<number, number>();
  let [ones, others]: [number[], number[]] = [[], []];
  const close = (): void => {
    for (const one of ones) {
      for (const other of others) {
        const pair = one * counts.length + other;
        pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
      }
    }
    [ones, others] = [[], []];
  };
  const read = (id: number): void => {
    const field = fields[id] ?? 0;
    if ((field & 1) > 0) ones.push(id);
    if ((field & 2) > 0) others.push(id);
    if (id === NO_ID) close();
  };
  for (const ids of inParts(matches)) {
    ids.forEach(read);
    yield;
  }
  close();
  const valueOf = (id: number): string => values.get(id)?.value ?? '';
  return [...pairs].map(([pair, count]) => ({
    values: [valueOf(Math.floor(pair / counts.length)), valueOf(pair % counts.length)],
    count,
  }));
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
