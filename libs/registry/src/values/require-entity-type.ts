import { lengthFault, parseUrn, type Urn, type UrnOfKey } from '@stratalog/domain';
import { parseUntrustedJson, type JsonObject, type JsonValue } from '@stratalog/json';
import { checkAspect } from './check-aspect';
import type { AspectType, EntityRegistry, EntityType } from '../model/entity-registry';
import { suggestEntityType, unknownEntityType } from './unknown-names';

/** An entity as its urn describes it, whether it exists or not. */
export interface KnownEntity {
  readonly entityType: EntityType;
  readonly urn: Urn;
  /** Value of the key aspect. */
  readonly key: Readonly<JsonObject>;
  /** The same value as canonical JSON text. */
  readonly keyText: string;
}

export type EntityResult = KnownEntity | { readonly fault: string };

/** Size of the cache. Proposals of one entity come together, and each is checked on arrival and at its write. */
const MAX_CACHED = 1_024;
/** Valid urns, by the model that parsed them. */
const cache = new WeakMap<EntityRegistry, Map<string, EntityResult>>();

/**
 * Parses a urn by the model: its entity type, and the key in its id. A key of one field takes the whole id, with any
 * commas and parentheses; a key of several fields takes a tuple with exactly that many parts.
 *
 * **Errors**: throws none; `fault` is one sentence with the fault and the expected form.
 */
export function requireEntityType(registry: EntityRegistry, urnText: string): EntityResult {
  let known = cache.get(registry);
  if (known === undefined) cache.set(registry, (known = new Map<string, EntityResult>()));
  const cached = known.get(urnText);
  if (cached !== undefined) return cached;
  const read = readEntity(registry, urnText);
  if ('fault' in read) return read;
  if (known.size >= MAX_CACHED) known.clear();
  known.set(urnText, read);
  return read;
}

function readEntity(registry: EntityRegistry, urnText: string): EntityResult {
  const parsed = parseUrn(urnText);
  if ('fault' in parsed) return { fault: parsed.fault };
  const tooLong = lengthFault(urnText);
  if (tooLong !== undefined) return { fault: tooLong };
  const { urn } = parsed;
  if (urn.namespace !== registry.urnNamespace) {
    return { fault: `must start with "urn:${registry.urnNamespace}:"` };
  }
  const entityType = registry.entityType(urn.entityType);
  if (entityType === undefined) {
    const { entityType: name } = urn;
    return { fault: `unknown entity type ${name}${suggestEntityType(registry, name)}` };
  }
  if (entityType.name !== urn.entityType) {
    return {
      fault: `the entity type is spelled ${entityType.name}, not ${urn.entityType}`,
    };
  }
  const parts = splitParts(urn, entityType.keyAspect);
  if ('fault' in parts) return { fault: parts.fault };
  const checked = checkAspect(registry, entityType.keyAspect, parts.key);
  if ('faults' in checked) {
    const [first] = checked.faults;
    return { fault: `its part ${first?.path.slice(1) ?? ''} ${first?.reason ?? ''}` };
  }
  return { entityType, urn, key: parts.key, keyText: checked.text };
}

/** Assigns the id's parts to the fields of the key, sorted by name as in canonical text. */
function splitParts(urn: Urn, { record }: AspectType): { key: JsonObject } | { fault: string } {
  const names = record.fields.map(({ name }) => name);
  const parts = names.length === 1 ? [urn.id] : urn.parts;
  const isTuple = urn.id.startsWith('(');
  if (parts.length !== names.length || (names.length > 1 && !isTuple)) {
    const given = isTuple ? `${String(urn.parts.length)} of them` : 'no tuple';
    return {
      fault: `its id must be a tuple of ${String(names.length)} parts (${names.join(',')}), but has ${given}`,
    };
  }
  return { key: Object.fromEntries(sortedFields(record).map(({ name, at }) => [name, parts[at] ?? ''])) };
}

interface KeyField {
  readonly name: string;
  readonly at: number;
}

/** The fields of keys, sorted by name as in canonical text. */
const ordered = new WeakMap<AspectType['record'], readonly KeyField[]>();

function sortedFields(record: AspectType['record']): readonly KeyField[] {
  const before = ordered.get(record);
  if (before !== undefined) return before;
  const fields = record.fields
    .map(({ name }, at) => ({ name, at }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  ordered.set(record, fields);
  return fields;
}

/**
 * Builds the urn of the entity with this key: the reverse of {@link requireEntityType}.
 *
 * **Errors**: throws none; a key that its schema rejects, or that no urn can contain (a comma in one part of
 * several), is a `fault`.
 */
export function buildUrn(
  registry: EntityRegistry,
  entityType: EntityType,
  key: JsonValue,
): { readonly urn: string } | { readonly fault: string } {
  const { name, record } = entityType.keyAspect;
  const checked = checkAspect(registry, entityType.keyAspect, key);
  if ('faults' in checked) {
    const faults = checked.faults.map(({ path, reason }) => `${path} ${reason}`).join('; ');
    return { fault: `Invalid ${name}: ${faults}` };
  }
  const members = checked.value as JsonObject;
  const parts = record.fields.map((field) => members[field.name]);
  if (!parts.every((part) => typeof part === 'string')) {
    return {
      fault: `Invalid ${name}: a urn needs all of ${record.fields.map((field) => field.name).join(', ')}`,
    };
  }
  const id = parts.length === 1 ? parts.join('') : `(${parts.join(',')})`;
  const urn = `urn:${registry.urnNamespace}:${entityType.name}:${id}`;
  const back = requireEntityType(registry, urn);
  if ('fault' in back) return back;
  if (back.keyText === checked.text) return { urn };
  return {
    fault: `Invalid ${name}: ${urn} would stand for another key, because a part has commas or parentheses in it`,
  };
}

/** Returns {@link buildUrn} for keys that are JSON text and come with the name of their entity type. */
export function urnOfKeyIn(registry: EntityRegistry): UrnOfKey {
  return (name, text) => {
    const entityType = registry.entityType(name);
    if (entityType === undefined) return { fault: unknownEntityType(registry, name) };
    try {
      return buildUrn(registry, entityType, parseUntrustedJson(text));
    } catch (error) {
      return { fault: error instanceof Error ? error.message : 'not JSON' };
    }
  };
}
