import type { Position, StoredAspect } from '@stratalog/domain';
import { parseJson } from '@stratalog/json';
import {
  declaresEdges,
  requireEntityType,
  referencesIn,
  withoutReference,
  type AspectType,
  type EntityType,
} from '@stratalog/registry';
import type { Caller } from '../proposals/create-caller';
import type { UpdateDeps } from '../proposals/ingest-proposal';
import { writeIfUnchanged } from './write-if-unchanged';

/** One aspect that refers to a urn by one relationship. */
export interface Reference {
  readonly entity: string;
  readonly relationship: string;
  readonly aspect: string;
}

export interface RemovedReferences {
  /** References that stay because the schema requires them. */
  readonly left: readonly Reference[];
  /** Position of the last write of each urn. */
  readonly positions: readonly Position[];
}

/** Most attempts to rewrite an aspect under concurrent writes. */
const ATTEMPTS = 8;

interface Referrer {
  readonly urn: string;
  readonly entityType: EntityType;
  readonly type: AspectType;
  readonly stored: StoredAspect;
  readonly relationships: readonly string[];
}

/** Reads the references of one entity to a urn, from the latest values of its aspects. */
export async function readReferences(
  deps: UpdateDeps,
  entity: string,
  urn: string,
): Promise<readonly Reference[]> {
  return (await readReferrers(deps, entity, urn)).flatMap(asReferences);
}

/**
 * Removes the references to a urn from one entity. Each proposal requires that the aspect is unchanged since it was
 * read; after a concurrent write, the aspect is read and decided again.
 *
 * **Errors**: the last rejection, after eight attempts against concurrent writes.
 */
export async function removeReferences(
  deps: UpdateDeps,
  { entity, urn }: { readonly entity: string; readonly urn: string },
  caller: Caller,
): Promise<RemovedReferences> {
  const positions: Position[] = [];
  for (let attempt = 1; ; attempt++) {
    const left: Reference[] = [];
    let rejection: Error | undefined;
    for (const referrer of await readReferrers(deps, entity, urn)) {
      const value = valueWithout(deps, referrer, urn);
      if (value.kind === 'kept') {
        left.push(...asReferences(referrer));
        continue;
      }
      const { stored, entityType } = referrer;
      const { version, name: aspectName } = stored;
      const change = { urn: entity, entityType: entityType.name, aspectName, version };
      const outcome = await writeIfUnchanged(deps, { ...change, ...value.written }, caller);
      if (outcome.kind === 'rejected') rejection = outcome.cause;
      else if (outcome.position !== undefined) positions.push(outcome.position);
    }
    if (rejection === undefined) return { left, positions };
    if (attempt === ATTEMPTS) throw rejection;
  }
}

async function readReferrers(
  { registry, store }: UpdateDeps,
  entity: string,
  urn: string,
): Promise<Referrer[]> {
  const named = requireEntityType(registry, entity);
  if ('fault' in named) return [];
  const { entityType } = named;
  const referring = [...entityType.aspects.values()].filter(declaresEdges);
  const read = await store.readEntity(
    entity,
    referring.map(({ name }) => name),
  );
  return (read?.aspects ?? []).flatMap((stored) => {
    const type = entityType.aspects.get(stored.name);
    if (type === undefined) return [];
    const relationships = referencesIn(type, parseJson(stored.value), urn);
    return relationships.length === 0 ? [] : [{ urn: entity, entityType, type, stored, relationships }];
  });
}

function asReferences({ urn, stored, relationships }: Referrer): Reference[] {
  return relationships.map((relationship) => ({ entity: urn, relationship, aspect: stored.name }));
}

/** A key follows from its urn, so it is never rewritten. */
function valueWithout(
  { registry }: UpdateDeps,
  { type, stored }: Referrer,
  urn: string,
): { readonly kind: 'kept' } | { readonly kind: 'changed'; readonly written: { readonly value?: string } } {
  if (type.isKey) return { kind: 'kept' };
  const removal = withoutReference(registry, type, parseJson(stored.value), urn);
  if (removal.kind === 'required') return { kind: 'kept' };
  return { kind: 'changed', written: removal.kind === 'emptied' ? {} : { value: removal.text } };
}
