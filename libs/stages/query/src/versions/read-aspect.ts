import {
  NotFoundError,
  RawJson,
  didYouMean,
  type AspectVersion,
  type JsonOutputObject,
} from '@stratalog/model';
import type { AspectHistory, AspectRef, AspectStore } from '@stratalog/ports';
import { entityNamed } from '@stratalog/registry';
import type { ReadDeps } from '../entities/view-entities';

/**
 * One aspect at one version: 0 is the latest, 1 the oldest, -1 counts back from the newest.
 *
 * **Shape**: `{version, aspect: {<record name>: <fields>}}`; `version` is 0 for the latest and the resolved number otherwise.
 *
 * **Errors**: `NotFoundError` when there is no such version, aspect or entity, or it was erased by retention, which the message says; `InvalidRequestError` for a malformed urn.
 *
 * **Source**: contract, `GET /aspects/<urn>`; entity and aspect behaviour, section 4.1.
 */
export async function readAspect(
  { store, history, registry }: ReadDeps,
  urn: string,
  aspectName: string,
  version: number,
): Promise<JsonOutputObject> {
  const { entityType } = entityNamed(registry, urn);
  const aspect = entityType.aspects.get(aspectName);
  const found = aspect === undefined ? undefined : await versionOf(store, urn, aspectName, version);
  if (aspect === undefined || found === undefined) {
    const why =
      aspect === undefined
        ? didYouMean(aspectName, entityType.aspects.keys())
        : await truncationNote(history, { urn, aspectName }, version);
    throw new NotFoundError(
      `Did not find urn: ${urn} aspect: ${aspectName} version: ${String(version)}${why}`,
    );
  }
  return {
    version: version === 0 ? 0 : found.version,
    aspect: { [aspect.recordName]: new RawJson(found.value) },
  };
}

/** Says so when the version was there and retention has erased its value. */
async function truncationNote(history: AspectHistory, ref: AspectRef, version: number): Promise<string> {
  if (version === 0) return '';
  const range = { ...ref, from: 1, to: 1, newestFirst: false, limit: 1 };
  const { truncatedUpTo = 0, newest = 0 } = (await history.listVersions(range)) ?? {};
  const number = version > 0 ? version : newest + 1 + version;
  if (number < 1 || number > truncatedUpTo) return '';
  return `; it was erased by retention, as all versions up to ${String(truncatedUpTo)}`;
}

async function versionOf(
  store: AspectStore,
  urn: string,
  aspectName: string,
  version: number,
): Promise<Pick<AspectVersion, 'version' | 'value'> | undefined> {
  if (version !== 0) return store.readVersion(urn, aspectName, version);
  const entity = await store.readEntity(urn, [aspectName]);
  return entity?.aspects[0];
}

/**
 * One aspect as it was at a time, under the number of its version.
 *
 * **Errors**: `NotFoundError` when there was none then, or its value is not kept any more, which the message says.
 */
export async function readAspectAt(
  { history, registry }: ReadDeps,
  urn: string,
  aspectName: string,
  asOf: number,
): Promise<JsonOutputObject> {
  const { entityType } = entityNamed(registry, urn);
  const aspect = entityType.aspects.get(aspectName);
  const past =
    aspect === undefined
      ? undefined
      : await history.entityAt({ urn, timeMs: asOf, aspectNames: [aspectName] });
  const [found] = past?.aspects ?? [];
  if (aspect === undefined || found === undefined) {
    const lost = (past?.lost.length ?? 0) > 0 ? '; its value of that time is not kept any more' : '';
    const why = aspect === undefined ? didYouMean(aspectName, entityType.aspects.keys()) : lost;
    throw new NotFoundError(`Did not find urn: ${urn} aspect: ${aspectName} as of: ${String(asOf)}${why}`);
  }
  return { version: found.version, aspect: { [aspect.recordName]: new RawJson(found.value) } };
}
