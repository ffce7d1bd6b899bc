import { isJsonObject, type JsonObject, type JsonValue } from '@stratalog/model';
import { KeyedArray, isTreeObject, plainOf, type PatchTree } from './patch-tree';

/** Stands in a key where the element says nothing. */
const NONE = 'NONE';

/**
 * Lineage between columns has keys that no member of an element is: one element may lead from many columns, and a patch adds or removes
 * one of them. It is keyed by transformation, downstream, query and upstream, and what is below is what the elements say of
 * that pair.
 */
export function keyLineage(tree: PatchTree): PatchTree {
  if (!Array.isArray(tree)) return tree;
  const keyed = new KeyedArray(gatherLineage);
  for (const element of tree.map(plainOf)) {
    if (!isJsonObject(element)) continue;
    const { transformOperation, query, upstreams, downstreams, ...rest } = element;
    for (const downstream of textsIn(downstreams)) {
      const upstreamsOf = levelAt(keyed, [textOf(transformOperation), downstream, textOf(query)]);
      for (const upstream of textsIn(upstreams)) upstreamsOf.set(upstream, rest);
    }
  }
  return keyed;
}

/** One element for each transformation, downstream and query, and for each way in which its pairs differ besides. */
export function gatherLineage(tree: PatchTree): JsonValue[] {
  return entriesOf(tree).flatMap(([transformation, downstreams]) =>
    entriesOf(downstreams).flatMap(([downstream, queries]) =>
      entriesOf(queries).flatMap(([query, upstreams]) => {
        const groups = new Map<string, { readonly element: JsonObject; readonly upstreams: string[] }>();
        for (const [upstream, pair] of entriesOf(upstreams)) {
          const element = elementOf(upstream, plainOf(pair), { transformation, downstream, query });
          const group = JSON.stringify(element, Object.keys(element).sort());
          const known = groups.get(group);
          if (known === undefined) groups.set(group, { element, upstreams: [upstream] });
          else known.upstreams.push(upstream);
        }
        return [...groups.values()].map(({ element, upstreams: own }) => {
          const named = own.filter((upstream) => upstream !== NONE);
          return named.length === 0 ? element : { ...element, upstreams: named };
        });
      }),
    ),
  );
}

function elementOf(
  upstream: string,
  pair: JsonValue,
  keys: { readonly transformation: string; readonly downstream: string; readonly query: string },
): JsonObject {
  const { transformation, downstream, query } = keys;
  return {
    upstreamType: upstream === NONE ? NONE : /^urn:[^:]+:dataset:/.test(upstream) ? 'DATASET' : 'FIELD_SET',
    downstreamType: 'FIELD',
    ...(isJsonObject(pair) ? pair : {}),
    ...(downstream === NONE ? {} : { downstreams: [downstream] }),
    ...(transformation === NONE ? {} : { transformOperation: transformation }),
    ...(query === NONE ? {} : { query }),
  };
}

function levelAt(keyed: KeyedArray, steps: readonly string[]): KeyedArray {
  let level = keyed;
  for (const step of steps) {
    const inner = level.get(step);
    const next = inner instanceof KeyedArray ? inner : new KeyedArray(gatherLineage);
    level.set(step, next);
    level = next;
  }
  return level;
}

function entriesOf(tree: PatchTree): readonly (readonly [string, PatchTree])[] {
  if (tree instanceof KeyedArray) return [...tree];
  return isTreeObject(tree) ? Object.entries(tree) : [];
}

function textsIn(value: JsonValue | undefined): readonly string[] {
  const texts = Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
  return texts.length === 0 ? [NONE] : texts;
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : NONE;
}
