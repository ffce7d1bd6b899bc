import { isJsonObject, type JsonObject, type JsonValue, type Steps } from '@stratalog/model';
import { KeyedArray, isTreeObject, plainOf, type PatchTree } from './patch-tree';

/** Stands in a key where the element has no value for it. */
const NONE = 'NONE';
/** The highest confidence score, and the score of an upstream without one. */
const FULL_CONFIDENCE = 1;
const DECIDED_BY_KEY: ReadonlySet<string> = new Set([
  'transformOperation',
  'query',
  'upstreams',
  'downstreams',
]);

/**
 * Turns the array into maps: transformation, then downstream, then query, then upstream. Each upstream holds the remaining members of
 * its element. An upstream that several elements with the same key name keeps the members of the last one.
 */
export function* keyLineage(tree: PatchTree): Steps<PatchTree> {
  if (!Array.isArray(tree)) return tree;
  const keyed = new KeyedArray(gatherLineage);
  for (const each of tree) {
    yield;
    const element = yield* plainOf(each);
    if (!isJsonObject(element)) continue;
    const { transformOperation, query, upstreams, downstreams, ...rest } = element;
    for (const downstream of textsIn(downstreams)) {
      const upstreamsOf = levelAt(keyed, [toText(transformOperation), downstream, toText(query)]);
      for (const upstream of textsIn(upstreams)) upstreamsOf.set(upstream, { ...rest });
    }
  }
  return keyed;
}

/**
 * Builds one element per transformation, downstream and query: the upstreams united, the lowest confidence score, of the other members
 * the last one. `transformOperation` is written even when the key says NONE. A key without upstreams makes no element.
 *
 * **Errors**: `RangeError` for a level that is not an object.
 *
 * **Source**: entity and aspect behaviour, section 10.6; the original's template for lineage between columns.
 */
export function* gatherLineage(tree: PatchTree): Steps<JsonValue[]> {
  const elements: JsonValue[] = [];
  for (const [transformation, downstreams] of toEntries(tree)) {
    for (const [downstream, queries] of toEntries(downstreams)) {
      for (const [query, upstreams] of toEntries(queries)) {
        const pairs = yield* pairsIn(upstreams);
        if (pairs.length > 0) elements.push(elementOf(pairs, { transformation, downstream, query }));
        yield;
      }
    }
  }
  return elements;
}

type Pair = readonly [upstream: string, members: JsonObject];

function* pairsIn(upstreams: PatchTree): Steps<readonly Pair[]> {
  const pairs: Pair[] = [];
  for (const [upstream, pair] of toEntries(upstreams)) {
    pairs.push([upstream, yield* membersOf(pair)]);
    yield;
  }
  return pairs;
}

function elementOf(
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

/** A score that is not a number is returned as it is: the check of the whole value rejects it by its path. */
function lowestScore(members: readonly JsonObject[]): JsonValue {
  let lowest = FULL_CONFIDENCE;
  for (const { confidenceScore = FULL_CONFIDENCE } of members) {
    if (typeof confidenceScore !== 'number' && typeof confidenceScore !== 'bigint') return confidenceScore;
    lowest = Math.min(lowest, Number(confidenceScore));
  }
  return lowest;
}

/** What a patch says about one upstream, without members that the key decides. */
function* membersOf(pair: PatchTree): Steps<JsonObject> {
  const plain = yield* plainOf(pair);
  if (!isJsonObject(plain)) throw notAnObject();
  return Object.fromEntries(Object.entries(plain).filter(([name]) => !DECIDED_BY_KEY.has(name)));
}

function levelAt(keyed: KeyedArray, steps: readonly string[]): KeyedArray {
  let level = keyed;
  for (const step of steps) {
    const inner = level.get(step);
    const next = inner instanceof KeyedArray ? inner : new KeyedArray(objectOf);
    level.set(step, next);
    level = next;
  }
  return level;
}

/** A level between the array and an upstream is an object to whoever copies or tests it. */
function* objectOf(level: KeyedArray): Steps<JsonObject> {
  const members: [string, JsonValue][] = [];
  for (const [step, tree] of level) {
    members.push([step, yield* plainOf(tree)]);
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

function textsIn(value: JsonValue | undefined): readonly string[] {
  const texts = Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
  return texts.length === 0 ? [NONE] : texts;
}

function toText(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : NONE;
}
