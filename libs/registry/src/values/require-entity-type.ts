import {
  parseUntrustedJson,
  parseUrn,
  type JsonObject,
  type JsonValue,
  type Urn,
  type UrnOfKey,
} from '@stratalog/model';
import { checkAspect } from './check-aspect';
import type { AspectType, EntityRegistry, EntityType } from '../model/entity-registry';
import { nearEntityType, unknownEntityType } from './unknown-names';

/** An entity as its urn says, whether it is there or not. */
export interface KnownEntity {
  readonly entityType: EntityType;
  readonly urn: Urn;
  /** The value of the key aspect. */
  readonly key: Readonly<JsonObject>;
  /** The same as canonical JSON text. */
  readonly keyText: string;
}

export type EntityResult = KnownEntity | { readonly fault: string };

/** Proposals of one entity come together, and each is checked where it arrives and where it is written. */
const REMEMBERED = 1_024;
/** Urns that were read well, by the model that has read them. */
const remembered = new WeakMap<EntityRegistry, Map<string, EntityResult>>();

/**
 * Reads a urn by the model: its entity type and the key that its id stands for. A key of one field takes the whole id, with whatever
 * commas and parentheses are in it; a key of several fields takes a tuple with exactly that many parts.
 *
 * **Errors**: none are thrown; `fault` says in one sentence what is wrong and what would be right.
 */
export function requireEntityType(registry: EntityRegistry, urnText: string): EntityResult {
  let known = remembered.get(registry);
  if (known === undefined) remembered.set(registry, (known = new Map<string, EntityResult>()));
  const former = known.get(urnText);
  if (former !== undefined) return former;
  const read = readEntity(registry, urnText);
  if ('fault' in read) return read;
  if (known.size >= REMEMBERED) known.clear();
  known.set(urnText, read);
  return read;
}

function readEntity(registry: EntityRegistry, urnText: string): EntityResult {
  const parsed = parseUrn(urnText);
  if ('fault' in parsed) return { fault: parsed.fault };
  const { urn } = parsed;
  if (urn.namespace !== registry.urnNamespace) {
    return { fault: `must start with "urn:${registry.urnNamespace}:"` };
  }
  const entityType = registry.entityType(urn.entityType);
  if (entityType === undefined) {
    const { entityType: name } = urn;
    return { fault: `unknown entity type ${name}${nearEntityType(registry, name)}` };
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

/** The id's parts under the names of the key's fields, in the order in which canonical text has them. */
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
  const entries = names.map((name, index): [string, JsonValue] => [name, parts[index] ?? '']);
  return { key: Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1))) };
}

/**
 * The urn of the entity with this key: the reverse of {@link requireEntityType}.
 *
 * **Errors**: none are thrown; a key that its schema rejects, or that no urn can carry (a comma in one part of several), is a `fault`.
 */
export function urnOf(
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

/** {@link urnOf} for keys that come as JSON text beside the name of their entity type. */
export function urnOfKeyIn(registry: EntityRegistry): UrnOfKey {
  return (name, text) => {
    const entityType = registry.entityType(name);
    if (entityType === undefined) return { fault: unknownEntityType(registry, name) };
    try {
      return urnOf(registry, entityType, parseUntrustedJson(text));
    } catch (error) {
      return { fault: error instanceof Error ? error.message : 'not JSON' };
    }
  };
}
