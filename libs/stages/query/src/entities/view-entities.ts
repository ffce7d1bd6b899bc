import {
  InvalidRequestError,
  type AuditStamp,
  type StoredAspect,
  type StoredEntity,
} from '@stratalog/domain';
import type { JsonOutputObject } from '@stratalog/json';
import { readEntityPages } from '@stratalog/concurrency';
import type { AspectHistory, AspectStore, Clock } from '@stratalog/ports';
import { entityNamed, type EntityRegistry, type NamedEntity } from '@stratalog/registry';
import { rejectLongAnswer, type BatchReads } from './batch-reads';

export interface ReadDeps {
  readonly store: AspectStore;
  readonly history: AspectHistory;
  readonly registry: EntityRegistry;
  readonly clock: Clock;
  readonly batchReads: BatchReads;
}

/** An entity as an answer shows it, whether it was ever written or not. */
export interface EntityView extends NamedEntity {
  /** The key aspect comes first and is always present. */
  readonly aspects: readonly AspectView[];
  /** For a view of the past: aspects that existed and whose value is purged. */
  readonly lost?: readonly string[];
}

export interface AspectView {
  readonly name: string;
  /** 0 for the latest version. */
  readonly version: number;
  /** JSON text. */
  readonly value: string;
  readonly created: AuditStamp;
  /** Absent for a key aspect that was never written. */
  readonly systemMetadata?: JsonOutputObject;
}

/** Most urns of one request. */
export const MAX_BATCH_URNS = 1_000;

/**
 * Views an entity with its latest aspects: all, or the requested ones. The key aspect is always present, computed
 * from the urn when it was never written. Ignores aspect names outside the entity type.
 *
 * **Errors**: `InvalidRequestError` when the urn is malformed or its type unknown.
 */
export async function viewEntity(
  deps: ReadDeps,
  urn: string,
  aspectNames?: readonly string[],
): Promise<EntityView> {
  const named = entityNamed(deps.registry, urn);
  const stored = await deps.store.readEntity(urn, addKeyAspect([named], aspectNames));
  return toView(deps, named, stored);
}

/**
 * Views several entities, of one type or of many, in the order of the first occurrence of their urns.
 *
 * **Errors**: `InvalidRequestError` when a urn is malformed or its type unknown, for more than
 * {@link MAX_BATCH_URNS}, and when the values are too large for one answer.
 */
export async function viewEntities(
  deps: ReadDeps,
  urns: readonly string[],
  aspectNames?: readonly string[],
): Promise<readonly EntityView[]> {
  rejectManyUrns(urns);
  return deps.batchReads.run((maxLength) => readViews(deps, { urns, aspectNames, maxLength }));
}

interface BatchQuery {
  readonly urns: readonly string[];
  readonly aspectNames: readonly string[] | undefined;
  /** **Units**: characters. */
  readonly maxLength: number;
}

async function readViews(
  deps: ReadDeps,
  { urns, aspectNames, maxLength }: BatchQuery,
): Promise<readonly EntityView[]> {
  const named = [...new Set(urns)].map((urn) => entityNamed(deps.registry, urn));
  const wanted = addKeyAspect(named, aspectNames);
  const stored = new Map<string, StoredEntity>();
  let length = 0;
  const all = named.map(({ urn }) => urn);
  const pages = readEntityPages(deps.store, all, { aspectNames: wanted, size: MAX_BATCH_URNS });
  for await (const { entities } of pages) {
    for (const entity of entities) {
      stored.set(entity.urn, entity);
      length += entity.aspects.reduce((sum, { value }) => sum + value.length, 0);
    }
    rejectLongAnswer(length, maxLength);
  }
  return named.map((each) => toView(deps, each, stored.get(each.urn)));
}

export function rejectManyUrns(urns: readonly string[]): void {
  if (urns.length <= MAX_BATCH_URNS) return;
  throw new InvalidRequestError(
    `Parameter 'ids' names ${String(urns.length)} urns; at most ${String(MAX_BATCH_URNS)} are read at once`,
  );
}

/** Returns the aspects to read: `undefined` for all, or the requested aspects and the keys. */
export function addKeyAspect(
  named: readonly NamedEntity[],
  aspectNames: readonly string[] | undefined,
): readonly string[] | undefined {
  if (aspectNames === undefined || aspectNames.length === 0) return undefined;
  const keys = named.map(({ entityType }) => entityType.keyAspect.name);
  const isKnown = (name: string): boolean => named.some(({ entityType }) => entityType.aspects.has(name));
  return [...new Set([...keys, ...aspectNames])].filter(isKnown);
}

function toView(deps: ReadDeps, named: NamedEntity, stored: StoredEntity | undefined): EntityView {
  return { ...named, aspects: keyFirst(deps, named, (stored?.aspects ?? []).map(toLatestView)) };
}

/** Returns the aspects with the key aspect first; computes the key aspect from the urn when it is absent. */
export function keyFirst(
  deps: Pick<ReadDeps, 'registry' | 'clock'>,
  named: NamedEntity,
  aspects: readonly AspectView[],
): readonly AspectView[] {
  const keyName = named.entityType.keyAspect.name;
  const key = aspects.find(({ name }) => name === keyName) ?? toKeyView(deps, named);
  return [key, ...aspects.filter(({ name }) => name !== keyName)];
}

/** Builds the key aspect of a urn that was never written, with the current time and the system actor. */
function toKeyView(
  { registry, clock }: Pick<ReadDeps, 'registry' | 'clock'>,
  { entityType, keyText }: NamedEntity,
): AspectView {
  const actor = `urn:${registry.urnNamespace}:corpuser:__datahub_system`;
  return {
    name: entityType.keyAspect.name,
    version: 0,
    value: keyText,
    created: { time: clock.now(), actor },
  };
}

function toLatestView(aspect: StoredAspect): AspectView {
  const { name, version, value, created, aspectCreated, systemMetadata, observed } = aspect;
  const provenance = {
    ...systemMetadata,
    ...observed,
    version: String(version),
    aspectCreated: { time: aspectCreated.time, actor: aspectCreated.actor },
    aspectModified: { time: created.time, actor: created.actor },
  };
  return { name, version: 0, value, created, systemMetadata: provenance };
}
