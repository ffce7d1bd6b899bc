import { isJsonObject, type JsonObject, type JsonValue, type Steps } from '@stratalog/json';
import { KeyedArray, isTreeObject, toPlain, type PatchTree } from './patch-tree';

/** Part of a key when the element has no value for it. */
const NONE = 'NONE';
/** Highest confidence score, and the score of an upstream without one. */
const FULL_CONFIDENCE = 1;
const DECIDED_BY_KEY: ReadonlySet<string> = new Set([
  'transformOperation',
  'query',
  'upstreams',
  'downstreams',
]);

/**
 * Converts the array to nested maps: transformation, downstream, query, upstream. Each upstream holds the remaining
 * members of its element. Of several elements with one key and upstream, the last one's members win.
 */
export function* keyLineage(tree: PatchTree): Steps<PatchTree> {
  if (!Array.isArray(tree)) return tree;
  const keyed = new KeyedArray(gatherLineage);
  for (const each of tree) {
    yield;
    const element = yield* toPlain(each);
    if (!isJsonObject(element)) continue;
    const { transformOperation, query, upstreams, downstreams, ...rest } = element;
    for (const downstream of readTexts(downstreams)) {
      const upstreamLevel = ensureLevel(keyed, [toText(transformOperation), downstream, toText(query)]);
      for (const upstream of readTexts(upstreams)) upstreamLevel.set(upstream, { ...rest });
    }
  }
  return keyed;
}

/**
 * Builds one element per transformation, downstream and query. It unites the upstreams, takes the lowest confidence
 * score, and takes other members from the last upstream. It writes `transformOperation` even when the key is NONE. A
 * key without upstreams makes no element.
 *
 * **Errors**: `RangeError` for a level that is not an object.
 *
 * **Source**: `docs/what/proposal.md`, Patches.
 */
export function* gatherLineage(tree: PatchTree): Steps<JsonValue[]> {
  const elements: JsonValue[] = [];
  for (const [transformation, downstreams] of toEntries(tree)) {
    for (const [downstream, queries] of toEntries(downstreams)) {
      for (const [query, upstreams] of toEntries(queries)) {
        const pairs = yield* readPairs(upstreams);
        if (pairs.length > 0) elements.push(buildElement(pairs, { transformation, downstream, query }));
        yield;
      }
    }
  }
  return elements;
}

type Pair = readonly [upstream: string, members: JsonObject];

function* readPairs(upstreams: PatchTree): Steps<readonly Pair[]> {
  const pairs: Pair[] = [];
  for (const [upstream, pair] of toEntries(upstreams)) {
    pairs.push([upstream, yield* readMembers(pair)]);
    yield;
  }
  return pairs;
}

function buildElement(
  pairs: readonly Pair[],
  keys: { readonly transformation: string; readonly downstream: string; readonly query: string },
): JsonObject {
  const { transformation, downstream, query } = keys;
  const named = pairs.filter(([upstream]) => upstream !== NONE);
  const members = (named.length === 0 ? pairs : named).map(([, pair]) => pair);
  return {
    upstreamType: named.length === 0 ? NONE : 'FIELD_SET',
    downstreamType: 'FIELD',
    ...members.reduce((before, each) => ({ ...before, ...each }), {}),
    confidenceScore: lowestScore(members),
    transformOperation: transformation,
    ...(named.length === 0 ? {} : { upstreams: named.map(([upstream]) => upstream) }),
    ...(downstream === NONE ? {} : { downstreams: [downstream] }),
    ...(query === NONE || query.trim() === '' ? {} : { query }),
  };
}

/** Returns a score that is not a number unchanged, so the check of the whole value rejects it with its path. */
function lowestScore(members: readonly JsonObject[]): JsonValue {
  let lowest = FULL_CONFIDENCE;
  for (const { confidenceScore = FULL_CONFIDENCE } of members) {
    if (typeof confidenceScore !== 'number' && typeof confidenceScore !== 'bigint') return confidenceScore;
    lowest = Math.min(lowest, Number(confidenceScore));
  }
  return lowest;
}

/** Reads the members of one upstream, without those that the key determines. */
function* readMembers(pair: PatchTree): Steps<JsonObject> {
  const plain = yield* toPlain(pair);
  if (!isJsonObject(plain)) throw notAnObject();
  return Object.fromEntries(Object.entries(plain).filter(([name]) => !DECIDED_BY_KEY.has(name)));
}

function ensureLevel(keyed: KeyedArray, steps: readonly string[]): KeyedArray {
  let level = keyed;
  for (const step of steps) {
    const inner = level.get(step);
    const next = inner instanceof KeyedArray ? inner : new KeyedArray(toObject);
    level.set(step, next);
    level = next;
  }
  return level;
}

/** Copies and tests see a level between the array and an upstream as an object. */
function* toObject(level: KeyedArray): Steps<JsonObject> {
  const members: [string, JsonValue][] = [];
  for (const [step, tree] of level) {
    members.push([step, yield* toPlain(tree)]);
    yield;
  }
  return Object.fromEntries(members);
}

function toEntries(tree: PatchTree): readonly (readonly [string, PatchTree])[] {
  if (tree instanceof KeyedArray) return [...tree];
  if (isTreeObject(tree)) return Object.entries(tree);
  throw notAnObject();
}

function notAnObject(): RangeError {
  return new RangeError(
    'fineGrainedLineages is addressed by transformation, downstream, query and upstream, each of them an object',
  );
}

function readTexts(value: JsonValue | undefined): readonly string[] {
  const texts = Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
  return texts.length === 0 ? [NONE] : texts;
}

function toText(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : NONE;
}
