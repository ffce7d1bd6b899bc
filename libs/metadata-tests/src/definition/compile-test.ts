import { didYouMean, type MemberFault } from '@stratalog/domain';
import { isJsonObject, parseUntrustedJson, type JsonObject, type JsonValue } from '@stratalog/json';
import type { EntityRegistry, EntityType } from '@stratalog/registry';
import { PatternBudget } from '../operators/pattern';
import { show } from '../show';
import { compileActions } from './actions/compile-actions';
import { compilePredicate, type Compilation } from './compile-predicate';
import { FaultPlace } from '../fault-place';
import { MAX_DEFINITION_BYTES, MAX_TYPES } from '../limits';
import { listReads } from './list-reads';
import { findMember, readObject, rejectUnknown } from './members';
import type { MetadataTest, Predicate } from './metadata-test';

/** Of a definition: the test, or its faults. A draft has neither types nor rules, and tests nothing. */
export type CompiledDefinition =
  | {
      readonly kind: 'test';
      readonly test: MetadataTest;
      /** What the test takes in the heap, about. **Units**: bytes. */
      readonly heapBytes: number;
    }
  | { readonly kind: 'draft' }
  | { readonly kind: 'faulty'; readonly faults: readonly MemberFault[] };

/**
 * What a definition takes in the heap at most: 19 bytes for each character of the text of small predicates, and 80 for each instruction of a
 * pattern, of which a text of 10 characters may have a thousand.
 */
const BYTES_PER_CHARACTER = 20;
const BYTES_PER_INSTRUCTION = 80;

const CONDITIONS = ['conditions', 'match'] as const;

/**
 * Compiles the text of a definition by the model.
 *
 * **Errors**: throws none; returns up to 20 faults with their places.
 *
 * **Source**: `docs/reference/metadata-tests.md`.
 */
export function compileDefinition(registry: EntityRegistry, text: string): CompiledDefinition {
  const root = FaultPlace.root();
  const sent = parseText(text, root);
  if (sent !== undefined && Object.keys(sent).length === 0) return { kind: 'draft' };
  const patterns = new PatternBudget();
  const test = sent === undefined ? undefined : compileTest({ registry, patterns }, sent, root);
  if (test === undefined || root.faults.length > 0) return { kind: 'faulty', faults: root.faults };
  const heapBytes = BYTES_PER_CHARACTER * text.length + BYTES_PER_INSTRUCTION * patterns.instructions;
  return { kind: 'test', test, heapBytes };
}

function parseText(text: string, root: FaultPlace): JsonObject | undefined {
  if (text.trim() === '') return {};
  if (Buffer.byteLength(text) > MAX_DEFINITION_BYTES) {
    root.fault(`is longer than ${String(MAX_DEFINITION_BYTES)} bytes of UTF-8`);
    return;
  }
  let sent: JsonValue;
  try {
    sent = parseUntrustedJson(text);
  } catch (error) {
    root.fault(`is not JSON: ${String((error as { message?: unknown }).message)}`);
    return;
  }
  if (isJsonObject(sent)) return sent;
  root.fault('is no object');
  return;
}

function compileTest(
  { registry, patterns }: Pick<Compilation, 'registry' | 'patterns'>,
  sent: JsonObject,
  root: FaultPlace,
): MetadataTest | undefined {
  rejectUnknown(sent, ['on', 'rules', 'actions'], root);
  const at = root.at('on');
  const on = readObject(sent.on, at);
  const types = on === undefined ? undefined : readTypes(registry, on.types, at.at('types'));
  if (on !== undefined) rejectUnknown(on, ['types', ...CONDITIONS], at);
  // The types decide which paths exist.
  if (on === undefined || types === undefined) return undefined;
  const actions = compileActions({ registry, types }, sent.actions, root.at('actions'));
  const compilation: Compilation = { registry, patterns, predicates: 0 };
  const compile = (predicate: JsonValue | undefined, place: FaultPlace): Predicate | undefined =>
    compilePredicate(compilation, predicate, {
      start: { kind: 'entity', types, references: 0 },
      place,
      depth: 1,
    });
  const member = findMember(on, CONDITIONS, at) ?? 'conditions';
  const conditions = compile(on[member] ?? [], at.at(member));
  const rules = compile(sent.rules, root.at('rules'));
  if (conditions === undefined || rules === undefined) return undefined;
  const reads = listReads([conditions, rules]);
  return { types: new Set(types.map(({ name }) => name)), conditions, rules, actions, reads };
}

function readTypes(
  registry: EntityRegistry,
  sent: JsonValue | undefined,
  place: FaultPlace,
): readonly EntityType[] | undefined {
  if (!Array.isArray(sent)) {
    place.fault(sent === undefined ? 'is missing' : 'is no list of entity types');
    return;
  }
  if (sent.length === 0) {
    place.fault('names no entity type');
    return;
  }
  if (sent.length > MAX_TYPES) {
    place.fault(`has more than ${String(MAX_TYPES)} entity types`);
    return;
  }
  const names = registry.entityTypes.map(({ name }) => name);
  const types = sent.flatMap((name, index) => {
    const type = typeof name === 'string' ? registry.entityType(name) : undefined;
    if (type !== undefined) return [type];
    const near = typeof name === 'string' ? didYouMean(name, names) : '';
    place.at(index).fault(`is no entity type: ${show(name)}${near}`);
    return [];
  });
  return types.length === 0 ? undefined : types;
}
