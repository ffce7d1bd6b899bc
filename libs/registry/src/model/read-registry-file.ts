import { isMap, isScalar, isSeq, parseDocument, type YAMLMap } from 'yaml';
import type { ModelWarnings } from '../annotations/model-warnings';
import { SourceFile, placeOf, type Origin } from '../pdl/source-file';

/** Content of a registry file. */
export interface RegistryFile {
  /** The name that the model gives itself. */
  readonly id?: string;
  readonly entities: readonly EntityEntry[];
  /** Names under `events`: events of the original other than changes. */
  readonly events: readonly NamedAspect[];
  /** Classes under `plugins`, which only the original can run. */
  readonly plugins: readonly PluginEntry[];
  /** Unknown keys. */
  readonly unknownKeys: readonly NamedAspect[];
}

interface PluginEntry {
  /** For example `aspectPayloadValidators`. */
  readonly section: string;
  readonly className: string;
  readonly origin: Origin;
}

export const NO_REGISTRY_FILE: RegistryFile = { entities: [], events: [], plugins: [], unknownKeys: [] };

/** One entry under `entities` of a registry file. */
export interface EntityEntry {
  readonly name: string;
  readonly doc: string;
  readonly category?: string;
  readonly searchGroup: string;
  readonly isViewUnrestricted: boolean;
  /** May be absent only when a later folder adds aspects to an entity of an earlier one. */
  readonly keyAspect?: NamedAspect;
  readonly aspects: readonly NamedAspect[];
  readonly origin: Origin;
}

export interface NamedAspect {
  readonly name: string;
  readonly origin: Origin;
}

const FILE_KEYS: readonly string[] = ['id', 'entities', 'events', 'plugins'];
const ENTITY_KEYS: readonly string[] = [
  'name',
  'doc',
  'category',
  'searchGroup',
  'viewUnrestricted',
  'keyAspect',
  'aspects',
];

/**
 * Parses an `entity-registry.yml`.
 *
 * **Errors**: `InvalidModelError` with file, line and column.
 */
export function readRegistryFile(text: string, file: string): RegistryFile {
  const source = new SourceFile(file, text);
  const document = parseDocument(text, { prettyErrors: false, uniqueKeys: true });
  const [fault] = document.errors;
  if (fault !== undefined) throw source.error(fault.pos[0], fault.message);
  const root: unknown = document.contents;
  if (!isMap(root)) throw source.error(readOffset(root), 'expected a mapping with the key entities');
  const entities: unknown = root.get('entities', true);
  const entries = readItems(entities, 'expected a list under entities', source);
  const read = entries.map((entity) => readEntity(entity, source));
  rejectRepeats(read);
  const id: unknown = root.get('id');
  return {
    ...(typeof id === 'string' && id !== '' ? { id } : {}),
    entities: read,
    events: readEvents(root, source),
    plugins: readPlugins(root, source),
    unknownKeys: [
      ...findUnknownKeys(root, FILE_KEYS, source),
      ...entries.flatMap((entity) => (isMap(entity) ? findUnknownKeys(entity, ENTITY_KEYS, source) : [])),
    ],
  };
}

/** Warns of unknown keys, and notes plug-ins, which are not run. */
export function warnOfRegistryFile(file: RegistryFile, warnings: ModelWarnings): void {
  for (const { name, origin } of file.unknownKeys) {
    warnings.warn(`the key ${name} is not known and ignored`, origin);
  }
  for (const { section, origin } of file.plugins) {
    warnings.note(`the classes under ${section} are not run`, origin);
  }
}

function readEntity(node: unknown, source: SourceFile): EntityEntry {
  if (!isMap(node))
    throw source.error(readOffset(node), 'expected an entity: a mapping with name, keyAspect and aspects');
  const name = readText(node, 'name', source);
  if (name === undefined) throw source.error(readOffset(node), 'expected an entity with a name');
  const category = readText(node, 'category', source)?.name;
  const keyAspect = readText(node, 'keyAspect', source);
  return {
    name: name.name,
    origin: name.origin,
    doc: readText(node, 'doc', source)?.name ?? '',
    ...(category === undefined ? {} : { category }),
    searchGroup: readText(node, 'searchGroup', source)?.name ?? 'default',
    isViewUnrestricted: readFlag(node, 'viewUnrestricted', source),
    ...(keyAspect === undefined ? {} : { keyAspect }),
    aspects: readAspects(node, source),
  };
}

function readAspects(node: YAMLMap, source: SourceFile): readonly NamedAspect[] {
  const aspects: unknown = node.get('aspects', true);
  const items = readItems(aspects, 'expected a list of aspect names under aspects', source);
  return items.map((item) => toText(item, 'the name of an aspect', source));
}

function readEvents(root: YAMLMap, source: SourceFile): readonly NamedAspect[] {
  const items = readItems(root.get('events', true), 'expected a list under events', source);
  return items.flatMap((item) => (isMap(item) ? (readText(item, 'name', source) ?? []) : []));
}

function readPlugins(root: YAMLMap, source: SourceFile): readonly PluginEntry[] {
  const plugins: unknown = root.get('plugins', true);
  if (!isMap(plugins)) return [];
  return plugins.items.flatMap(({ key, value }) => {
    const section = toText(key, 'the name of a kind of plug-ins', source).name;
    return readItems(value, `expected a list under ${section}`, source).flatMap((item) => {
      const className = isMap(item) ? readText(item, 'className', source) : undefined;
      return className === undefined
        ? []
        : [{ section, className: className.name, origin: className.origin }];
    });
  });
}

function findUnknownKeys(
  node: YAMLMap,
  known: readonly string[],
  source: SourceFile,
): readonly NamedAspect[] {
  return node.items
    .map(({ key }) => toText(key, 'a key', source))
    .filter(({ name }) => !known.includes(name));
}

function readItems(node: unknown, expected: string, source: SourceFile): readonly unknown[] {
  if (isEmpty(node)) return [];
  if (!isSeq(node)) throw source.error(readOffset(node), expected);
  return node.items;
}

function readFlag(node: YAMLMap, key: string, source: SourceFile): boolean {
  const value: unknown = node.get(key, true);
  if (isEmpty(value)) return false;
  if (isScalar(value) && typeof value.value === 'boolean') return value.value;
  throw source.error(readOffset(value), `expected true or false under ${key}`);
}

function readText(node: YAMLMap, key: string, source: SourceFile): NamedAspect | undefined {
  const value: unknown = node.get(key, true);
  return isEmpty(value) ? undefined : toText(value, `a text under ${key}`, source);
}

function toText(node: unknown, expected: string, source: SourceFile): NamedAspect {
  const at = readOffset(node);
  if (!isScalar(node) || typeof node.value !== 'string' || node.value === '') {
    throw source.error(at, `expected ${expected}`);
  }
  return { name: node.value, origin: { source, at } };
}

function isEmpty(node: unknown): boolean {
  return node === undefined || node === null || (isScalar(node) && node.value === null);
}

function readOffset(node: unknown): number {
  if (typeof node !== 'object' || node === null || !('range' in node) || !Array.isArray(node.range)) return 0;
  return Number(node.range[0]);
}

function rejectRepeats(entries: readonly EntityEntry[]): void {
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
