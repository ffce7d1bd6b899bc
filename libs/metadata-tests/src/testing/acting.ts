import {
  allSteps,
  isJsonObject,
  parseJson,
  stringifyJson,
  type JsonObject,
  type JsonValue,
} from '@stratalog/json';
import { parseAspectPatch, type EntityRegistry } from '@stratalog/registry';
import type { ActionAspect, ActionOperation, ActionOutcome } from '../definition/actions/action';
import {
  formatPatch,
  type ActingTest,
  type ActionTarget,
  type AspectStates,
  type PlannedPatch,
} from '../actions/decide-actions';
import { compileDefinition } from '../definition/compile-test';
import { NOW_MS } from './evaluate-on';

/** Values of the aspects that actions write. */
export type Values = Partial<Record<ActionAspect, JsonObject>>;
export type ActionLists = Partial<Record<ActionOutcome, JsonValue>>;

/** User as which actions write. */
export const ACTOR = 'urn:li:corpuser:__datahub_tests';

/** A table that actions write to. */
export function tableTarget(registry: EntityRegistry): ActionTarget {
  const entityType = registry.entityType('dataset');
  if (entityType === undefined) throw new Error('the model has no dataset');
  const urn = 'urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD)';
  return { registry, urn, entityType, actor: ACTOR, nowMs: NOW_MS };
}

/** Compiles a definition whose actions matter. */
export function toActingTest(registry: EntityRegistry, urn: string, definition: JsonValue): ActingTest {
  const compiled = compileDefinition(registry, stringifyJson(definition));
  if (compiled.kind !== 'test') throw new Error(JSON.stringify(compiled));
  return { urn, actions: compiled.test.actions };
}

export function toStates(values: Values, runId?: string): AspectStates {
  return new Map(Object.entries(values).map(([name, value]) => [name as ActionAspect, { value, runId }]));
}

export function valuesIn(states: AspectStates): Values {
  return Object.fromEntries(
    [...states].flatMap(([name, { value }]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** Applies planned patches as the catalog writes them: all operations on an aspect in one proposal. */
export function applyWritten(target: ActionTarget, before: Values, patches: readonly PlannedPatch[]): Values {
  const operations = new Map<ActionAspect, readonly ActionOperation[]>();
  for (const patch of patches) {
    operations.set(patch.aspectName, [...(operations.get(patch.aspectName) ?? []), ...patch.operations]);
  }
  const after: Values = { ...before };
  for (const [name, all] of operations) {
    const aspect = target.entityType.aspects.get(name);
    if (aspect === undefined) throw new Error(`the model has no ${name}`);
    const text = formatPatch(all, name);
    const parsed = allSteps(parseAspectPatch(target.registry, aspect, { urn: target.urn, value: text }));
    if ('rejection' in parsed) throw new Error(parsed.rejection);
    const stored = before[name];
    const stamp = { time: target.nowMs, actor: target.actor };
    const patched = allSteps(parsed.patch(stored === undefined ? undefined : stringifyJson(stored), stamp));
    if ('rejection' in patched) throw new Error(patched.rejection);
    const value = patched.value === undefined ? undefined : parseJson(patched.value);
    if (isJsonObject(value)) after[name] = value;
  }
  return after;
}
