import { stringifyJson, type JsonValue } from '@stratalog/json';
import type { EntityRegistry } from '@stratalog/registry';
import { compileDefinition } from '../definition/compile-test';
import { Facts, type FactRef } from '../evaluation/facts';
import { evaluateTest, type TestOutcome } from '../evaluation/evaluate-test';

/** A store in memory: the aspects of entities by urn and name. Of a timeseries aspect all values, the latest first. */
export type SmallStore = Readonly<Record<string, Readonly<Record<string, JsonValue>>>>;

export const NOW_MS = 1_767_225_600_000;

/** Evaluates a definition for an entity of a small store, and reads only the facts that the evaluation asks for. */
export function evaluateOn(
  registry: EntityRegistry,
  store: SmallStore,
  { urn, definition }: { readonly urn: string; readonly definition: JsonValue },
): TestOutcome & { readonly rounds: number; readonly reads: readonly string[] } {
  const compiled = compileDefinition(registry, stringifyJson(definition));
  if (compiled.kind !== 'test') throw new Error(stringifyJson({ compiled: JSON.stringify(compiled) }));
  const facts = new Facts(registry);
  const reads: string[] = [];
  for (let rounds = 1; ; rounds++) {
    const evaluation = evaluateTest(compiled.test, { urn, facts, nowMs: NOW_MS, explains: true });
    if (evaluation.kind !== 'incomplete') return { ...evaluation, rounds, reads };
    for (const ref of evaluation.missing) {
      reads.push(`${ref.urn} ${ref.aspectName}`);
      facts.set(ref, { values: readFrom(store, ref) });
    }
  }
}

function readFrom(store: SmallStore, { urn, aspectName, aspectKind, withinMs }: FactRef): JsonValue[] {
  const value = store[urn]?.[aspectName];
  if (value === undefined) return [];
  if (aspectKind === 'versioned' || !Array.isArray(value)) return [value];
  if (withinMs === undefined) return value.slice(0, 1);
  return value.filter(
    (each) =>
      typeof each === 'object' &&
      each !== null &&
      !Array.isArray(each) &&
      Number(each.timestampMillis) >= NOW_MS - withinMs &&
      Number(each.timestampMillis) <= NOW_MS,
  );
}
