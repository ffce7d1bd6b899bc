import {
  InvalidRequestError,
  type AuditStamp,
  type JsonOutputObject,
  type StoredAspect,
  type StoredEntity,
} from '@stratalog/model';
import type { AspectHistory, AspectStore, Clock } from '@stratalog/ports';
import { entityNamed, type EntityRegistry, type NamedEntity } from '@stratalog/registry';

export interface ReadDeps {
  readonly store: AspectStore;
  readonly history: AspectHistory;
  readonly registry: EntityRegistry;
  readonly clock: Clock;
}

/** An entity as readers see it, whether anybody ever wrote it or not. */
export interface EntityView extends NamedEntity {
  /** The key aspect first, always there. */
  readonly aspects: readonly AspectView[];
  /** Of a view of the past: aspects that were there and whose value is not kept any more. */
  readonly lost?: readonly string[];
}

export interface AspectView {
  readonly name: string;
  /** 0 for the latest. */
  readonly version: number;
  /** JSON text. */
  readonly value: string;
  readonly created: AuditStamp;
  /** None for a key aspect that nobody wrote. */
  readonly systemMetadata?: JsonOutputObject;
}

/** More urns than that belong into several requests. */
const MAX_BATCH_URNS = 1_000;
/** What the values of one answer may take together. **Units**: characters of JSON text. */
const MAX_ANSWER_LENGTH = 64 * 1024 * 1024;

/**
 * An entity with its latest aspects: all, or those that are asked for. The key aspect is always there, rebuilt from the urn when
 * nothing was ever written for it. Names of aspects that the entity type does not have are passed over.
 *
 * **Errors**: `InvalidRequestError` when the urn is malformed or its type unknown.
 */
export async function viewEntity(
  parts: ReadDeps,
  urn: string,
  aspectNames?: readonly string[],
): Promise<EntityView> {
  const named = entityNamed(parts.registry, urn);
  const stored = await parts.store.readEntity(urn, addKeyAspect([named], aspectNames));
  return toView(parts, named, stored);
}

/**
 * The same of several entities, of one type or of many, in the order in which their urns are named first.
 *
 * **Errors**: `InvalidRequestError` when a urn is malformed or its type unknown, for more than {@link MAX_BATCH_URNS}, and when the
 * values would be too large together.
 */
export async function viewEntities(
  parts: ReadDeps,
  urns: readonly string[],
  aspectNames?: readonly string[],
): Promise<readonly EntityView[]> {
  rejectManyUrns(urns);
  const named = [...new Set(urns)].map((urn) => entityNamed(parts.registry, urn));
  const wanted = addKeyAspect(named, aspectNames);
  const stored = new Map<string, StoredEntity>();
  let length = 0;
  for (let left: readonly string[] = named.map(({ urn }) => urn); left.length > 0;) {
    const page = await parts.store.readEntities(left, wanted);
    for (const entity of page.entities) {
      stored.set(entity.urn, entity);
      length += entity.aspects.reduce((sum, { value }) => sum + value.length, 0);
    }
    rejectLongAnswer(length);
    left = page.rest;
  }
  return named.map((each) => toView(parts, each, stored.get(each.urn)));
}

export function rejectManyUrns(urns: readonly string[]): void {
  if (urns.length <= MAX_BATCH_URNS) return;
  throw new InvalidRequestError(
    `Parameter 'ids' names ${String(urns.length)} urns; at most ${String(MAX_BATCH_URNS)} are read at once`,
  );
}

/** Who wants more than the process can hold asks in parts. */
export function rejectLongAnswer(length: number): void {
  if (length <= MAX_ANSWER_LENGTH) return;
  throw new InvalidRequestError(
    `The answer would be larger than ${String(MAX_ANSWER_LENGTH)} characters; ask for fewer entities or aspects`,
  );
}

/** What a read asks the store for: everything, or the named aspects and the keys. */
export function addKeyAspect(
  named: readonly NamedEntity[],
  aspectNames: readonly string[] | undefined,
): readonly string[] | undefined {
  if (aspectNames === undefined || aspectNames.length === 0) return undefined;
  const keys = named.map(({ entityType }) => entityType.keyAspect.name);
  const isKnown = (name: string): boolean => named.some(({ entityType }) => entityType.aspects.has(name));
  return [...new Set([...keys, ...aspectNames])].filter(isKnown);
}

function toView(parts: ReadDeps, named: NamedEntity, stored: StoredEntity | undefined): EntityView {
  return { ...named, aspects: keyFirst(parts, named, (stored?.aspects ?? []).map(toLatestView)) };
}

/** The aspects with the key aspect in front, made from the urn where it is not among them. */
export function keyFirst(
  parts: Pick<ReadDeps, 'registry' | 'clock'>,
  named: NamedEntity,
  aspects: readonly AspectView[],
): readonly AspectView[] {
  const keyName = named.entityType.keyAspect.name;
  const key = aspects.find(({ name }) => name === keyName) ?? toKeyView(parts, named);
  return [key, ...aspects.filter(({ name }) => name !== keyName)];
}

/** The key aspect of a urn that was never written: it stands for what the urn says, since now and by nobody. */
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
