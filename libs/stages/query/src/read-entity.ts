import { RawJson, type JsonOutput, type JsonOutputObject, type StoredAspect } from '@stratalog/model';
import type { AspectStore, Clock } from '@stratalog/ports';
import type { EntityRegistry } from '@stratalog/registry';
import { entityNamed } from './entity-type-of';

export interface ReadParts {
  readonly store: AspectStore;
  readonly registry: EntityRegistry;
  readonly clock: Clock;
}

/**
 * An entity with its latest aspects: all, or those that are asked for. The key aspect is always there, rebuilt from the urn when nothing
 * was ever written for it, so that this call is no test of existence.
 *
 * **Shape**: `{urn, entityName, aspects: {<name>: {name, type, version, value, created, systemMetadata}}}`.
 *
 * **Errors**: `InvalidRequestError` when the urn is malformed or its type unknown. Unknown aspect names are passed over.
 *
 * **Source**: contract, `GET /entitiesV2/<urn>`; entity and aspect behaviour, section 3.
 */
export async function readEntity(
  { store, registry, clock }: ReadParts,
  urn: string,
  aspectNames?: readonly string[],
): Promise<JsonOutputObject> {
  const { entityType, keyText } = entityNamed(registry, urn);
  const keyName = entityType.keyAspect.name;
  const wanted =
    aspectNames === undefined || aspectNames.length === 0
      ? undefined
      : [...new Set([keyName, ...aspectNames])].filter((name) => entityType.aspects.has(name));
  const entity = await store.readEntity(urn, wanted);
  const aspects: Record<string, JsonOutput> = {};
  if (!entity?.aspects.some(({ name }) => name === keyName)) {
    aspects[keyName] = envelopeOf(keyName, keyText, { time: clock.now(), actor: systemActor(registry) });
  }
  for (const aspect of entity?.aspects ?? []) aspects[aspect.name] = storedEnvelopeOf(aspect);
  return { urn, entityName: entityType.name, aspects };
}

/** Who made what nobody wrote: the key aspect of a urn that was never written. */
function systemActor({ urnNamespace }: EntityRegistry): string {
  return `urn:${urnNamespace}:corpuser:__datahub_system`;
}

function storedEnvelopeOf(aspect: StoredAspect): JsonOutputObject {
  const { name, version, value, created, systemMetadata, observed } = aspect;
  return {
    ...envelopeOf(name, value, created),
    systemMetadata: { ...systemMetadata, ...observed, version: String(version) },
  };
}

/** The latest value is version 0 to the outside. */
function envelopeOf(
  name: string,
  value: string,
  created: { readonly time: number; readonly actor: string },
): JsonOutputObject {
  return {
    name,
    type: 'VERSIONED',
    version: 0,
    value: new RawJson(value),
    created: { time: created.time, actor: created.actor },
  };
}
