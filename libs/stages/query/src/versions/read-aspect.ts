import { NotFoundError, didYouMean, type AspectVersion } from '@stratalog/domain';
import { RawJson, type JsonOutputObject } from '@stratalog/json';
import type { AspectHistory, AspectRef, AspectStore } from '@stratalog/ports';
import { entityNamed } from '@stratalog/registry';
import type { ReadDeps } from '../entities/view-entities';

/**
 * Reads one aspect at one version: 0 is the latest, 1 the oldest, -1 counts back from the newest.
 *
 * **Shape**: `{version, aspect: {<record name>: <fields>}}`; `version` is 0 for the latest and the resolved number
 * otherwise.
 *
 * **Errors**: `NotFoundError` when the version, aspect or entity does not exist, or when retention purged the value,
 * which the message says; `InvalidRequestError` for a malformed urn.
 *
 * **Source**: `docs/wire-decisions.md`, Versions.
 */
export async function readAspect(
  { store, history, registry }: ReadDeps,
  urn: string,
  aspectName: string,
  version: number,
): Promise<JsonOutputObject> {
  const { entityType } = entityNamed(registry, urn);
  const aspect = entityType.aspects.get(aspectName);
  const stored = aspect === undefined ? undefined : await findVersion(store, urn, aspectName, version);
  if (aspect === undefined || stored === undefined) {
    const why =
      aspect === undefined
        ? didYouMean(aspectName, entityType.aspects.keys())
        : await truncationNote(history, { urn, aspectName }, version);
    throw new NotFoundError(
      `Did not find urn: ${urn} aspect: ${aspectName} version: ${String(version)}${why}`,
    );
  }
  return {
    version: version === 0 ? 0 : stored.version,
    aspect: { [aspect.recordName]: new RawJson(stored.value) },
  };
}

/** Explains a missing version whose value retention purged; an empty text for any other. */
async function truncationNote(history: AspectHistory, ref: AspectRef, version: number): Promise<string> {
  if (version === 0) return '';
  const range = { ...ref, from: 1, to: 1, newestFirst: false, limit: 1 };
  const { truncatedUpTo = 0, newest = 0 } = (await history.listVersions(range)) ?? {};
  const number = version > 0 ? version : newest + 1 + version;
  if (number < 1 || number > truncatedUpTo) return '';
  return `; it was purged by retention, as were all versions up to ${String(truncatedUpTo)}`;
}

async function findVersion(
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
 * Reads one aspect as of a time, with its version number.
 *
 * **Errors**: `NotFoundError` when the aspect did not exist then, or when its value is purged, which the message
 * says.
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
  const [stored] = past?.aspects ?? [];
  if (aspect === undefined || stored === undefined) {
    const lost = (past?.lost.length ?? 0) > 0 ? '; its value of that time is not kept any more' : '';
    const why = aspect === undefined ? didYouMean(aspectName, entityType.aspects.keys()) : lost;
    throw new NotFoundError(`Did not find urn: ${urn} aspect: ${aspectName} as of: ${String(asOf)}${why}`);
  }
  return { version: stored.version, aspect: { [aspect.recordName]: new RawJson(stored.value) } };
}
