import { parseJson, type Position, type StoredAspect } from '@stratalog/model';
import {
  requireEntityType,
  referencesIn,
  withoutReference,
  type AspectType,
  type EntityType,
} from '@stratalog/registry';
import type { Caller } from './delete-entity';
import type { IngestDeps } from '../proposals/ingest-proposal';
import { writeIfUnchanged } from './write-if-unchanged';

/** One aspect that refers to a urn by one relationship. */
export interface Reference {
  readonly entity: string;
  readonly relationship: string;
  readonly aspect: string;
}

export interface RemovedReferences {
  /** References that stay, because the schema asks for them. */
  readonly left: readonly Reference[];
  /** Where the last write for each urn lies. */
  readonly positions: readonly Position[];
}

/** How often an aspect that others change meanwhile is read anew. */
const ATTEMPTS = 8;

interface Referrer {
  readonly urn: string;
  readonly entityType: EntityType;
  readonly type: AspectType;
  readonly stored: StoredAspect;
  readonly relationships: readonly string[];
}

/** The references of one entity to a urn, as its aspects are now. */
export async function referencesOf(
  parts: IngestDeps,
  entity: string,
  urn: string,
): Promise<readonly Reference[]> {
  return (await referrersOf(parts, entity, urn)).flatMap(asReferences);
}

/**
 * Takes the references to a urn out of one entity, by proposals that count only if nobody has changed the aspect since it was read. What
 * others write meanwhile is read and decided anew.
 *
 * **Errors**: the last rejection, when others come first time and again.
 */
export async function removeReferences(
  parts: IngestDeps,
  { entity, urn }: { readonly entity: string; readonly urn: string },
  caller: Caller,
): Promise<RemovedReferences> {
  const positions: Position[] = [];
  for (let attempt = 1; ; attempt++) {
    const left: Reference[] = [];
    let rejection: Error | undefined;
    for (const referrer of await referrersOf(parts, entity, urn)) {
      const value = valueWithout(parts, referrer, urn);
      if (value.kind === 'kept') {
        left.push(...asReferences(referrer));
        continue;
      }
      const { stored, entityType } = referrer;
      const { version, name: aspectName } = stored;
      const change = { urn: entity, entityType: entityType.name, aspectName, version };
      const outcome = await writeIfUnchanged(parts, { ...change, ...value.written }, caller);
      if (outcome.kind === 'rejected') rejection = outcome.cause;
      else if (outcome.position !== undefined) positions.push(outcome.position);
    }
    if (rejection === undefined) return { left, positions };
    if (attempt === ATTEMPTS) throw rejection;
  }
}

async function referrersOf(
  { registry, store }: IngestDeps,
  entity: string,
  urn: string,
): Promise<Referrer[]> {
  const named = requireEntityType(registry, entity);
  if ('fault' in named) return [];
  const { entityType } = named;
  const drawing = [...entityType.aspects.values()].filter(({ relationships }) => relationships.length > 0);
  const read = await store.readEntity(
    entity,
    drawing.map(({ name }) => name),
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

/** A key says what its urn says, so it is never written. */
function valueWithout(
  { registry }: IngestDeps,
  { type, stored }: Referrer,
  urn: string,
): { readonly kind: 'kept' } | { readonly kind: 'changed'; readonly written: { readonly value?: string } } {
  if (type.isKey) return { kind: 'kept' };
  const removal = withoutReference(registry, type, parseJson(stored.value), urn);
  if (removal.kind === 'required') return { kind: 'kept' };
  return { kind: 'changed', written: removal.kind === 'emptied' ? {} : { value: removal.text } };
}
