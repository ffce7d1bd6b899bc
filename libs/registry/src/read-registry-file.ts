import { isMap, isScalar, isSeq, parseDocument, type YAMLMap } from 'yaml';
import { SourceFile, placeOf, type Origin } from './source-file';

/** One entry under `entities` of a registry file. */
export interface EntityEntry {
  readonly name: string;
  readonly doc: string;
  readonly category?: string;
  /** May be absent only where a later folder adds aspects to an entity of an earlier one. */
  readonly keyAspect?: NamedAspect;
  readonly aspects: readonly NamedAspect[];
  readonly origin: Origin;
}

export interface NamedAspect {
  readonly name: string;
  readonly origin: Origin;
}

/**
 * Reads an `entity-registry.yml`. Keys that we do not know (`id`, `events`, `plugins`, `searchGroup` ...) are ignored.
 *
 * **Errors**: `InvalidModelError` naming file, line and column.
 */
export function readRegistryFile(text: string, file: string): readonly EntityEntry[] {
  const source = new SourceFile(file, text);
  const document = parseDocument(text, { prettyErrors: false, uniqueKeys: true });
  const [fault] = document.errors;
  if (fault !== undefined) throw source.error(fault.pos[0], fault.message);
  const root: unknown = document.contents;
  if (!isMap(root)) throw source.error(offsetOf(root), 'expected a mapping with the key entities');
  const entities: unknown = root.get('entities', true);
  if (isEmpty(entities)) return [];
  if (!isSeq(entities)) throw source.error(offsetOf(entities), 'expected a list under entities');
  const entries = entities.items.map((entity) => readEntity(entity, source));
  refuseRepeats(entries);
  return entries;
}

function readEntity(node: unknown, source: SourceFile): EntityEntry {
  if (!isMap(node))
    throw source.error(offsetOf(node), 'expected an entity: a mapping with name, keyAspect and aspects');
  const name = textUnder(node, 'name', source);
  if (name === undefined) throw source.error(offsetOf(node), 'expected an entity with a name');
  const category = textUnder(node, 'category', source)?.name;
  const keyAspect = textUnder(node, 'keyAspect', source);
  return {
    name: name.name,
    origin: name.origin,
    doc: textUnder(node, 'doc', source)?.name ?? '',
    ...(category === undefined ? {} : { category }),
    ...(keyAspect === undefined ? {} : { keyAspect }),
    aspects: aspectsUnder(node, source),
  };
}

function aspectsUnder(node: YAMLMap, source: SourceFile): readonly NamedAspect[] {
  const aspects: unknown = node.get('aspects', true);
  if (isEmpty(aspects)) return [];
  if (!isSeq(aspects)) throw source.error(offsetOf(aspects), 'expected a list of aspect names under aspects');
  return aspects.items.map((item) => textOf(item, 'the name of an aspect', source));
}

function textUnder(node: YAMLMap, key: string, source: SourceFile): NamedAspect | undefined {
  const value: unknown = node.get(key, true);
  return isEmpty(value) ? undefined : textOf(value, `a text under ${key}`, source);
}

function textOf(node: unknown, expected: string, source: SourceFile): NamedAspect {
  const at = offsetOf(node);
  if (!isScalar(node) || typeof node.value !== 'string' || node.value === '') {
    throw source.error(at, `expected ${expected}`);
  }
  return { name: node.value, origin: { source, at } };
}

function isEmpty(node: unknown): boolean {
  return node === undefined || node === null || (isScalar(node) && node.value === null);
}

function offsetOf(node: unknown): number {
  if (typeof node !== 'object' || node === null || !('range' in node) || !Array.isArray(node.range)) return 0;
  return Number(node.range[0]);
}

function refuseRepeats(entries: readonly EntityEntry[]): void {
  const seen = new Map<string, EntityEntry>();
  for (const entry of entries) {
    const other = seen.get(entry.name.toLowerCase());
    if (other !== undefined) {
      const { source, at } = entry.origin;
      throw source.error(at, `the entity ${entry.name} is declared twice, first at ${placeOf(other.origin)}`);
    }
    seen.set(entry.name.toLowerCase(), entry);
  }
}
