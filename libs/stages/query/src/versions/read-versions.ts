import { InvalidRequestError, NotFoundError, didYouMean } from '@stratalog/domain';
import { RawJson, type JsonOutputObject } from '@stratalog/json';
import type { PastVersion, VersionPage } from '@stratalog/ports';
import { entityNamed } from '@stratalog/registry';
import type { ReadDeps } from '../entities/view-entities';

export interface VersionsQuery {
  readonly urn: string;
  readonly aspectName: string;
  /** Both bounds are inclusive; 0 as `endVersion` means the newest. */
  readonly startVersion: number;
  readonly endVersion: number;
  readonly newestFirst: boolean;
  readonly count: number;
}

/**
 * Lists the versions of one aspect in a range of numbers, one page at a time. A deletion is a version without a
 * value.
 *
 * **Shape**: `{urn, aspectName, oldestVersion, newestVersion, truncatedUpTo, versions: [{version, kind, aspect,
 * isErased, created, systemMetadata}], next}`. `next` is the range of the next page and absent on the last. `isCut`
 * is set when the range starts before the kept versions, `truncatedUpTo` when retention purged values, and `isErased`
 * replaces a purged value.
 *
 * **Errors**: `NotFoundError` when the aspect was never written; `InvalidRequestError` for a range that ends before
 * it starts.
 */
export async function readVersions(
  { history, registry }: ReadDeps,
  query: VersionsQuery,
): Promise<JsonOutputObject> {
  const { urn, aspectName, startVersion, newestFirst, count } = query;
  const { entityType } = entityNamed(registry, urn);
  const endVersion = query.endVersion === 0 ? Number.MAX_SAFE_INTEGER : query.endVersion;
  if (endVersion < startVersion) {
    throw new InvalidRequestError(
      `Parameter 'endVersion': ${String(endVersion)} comes before startVersion, which is ${String(startVersion)}`,
    );
  }
  const aspect = entityType.aspects.get(aspectName);
  const range = { urn, aspectName, from: startVersion, to: endVersion, newestFirst, limit: count };
  const page = aspect === undefined ? undefined : await history.listVersions(range);
  if (aspect === undefined || page === undefined) {
    const hint = aspect === undefined ? didYouMean(aspectName, entityType.aspects.keys()) : '';
    throw new NotFoundError(`Did not find urn: ${urn} aspect: ${aspectName}${hint}`);
  }
  return {
    urn,
    aspectName,
    oldestVersion: page.oldest,
    newestVersion: page.newest,
    truncatedUpTo: page.truncatedUpTo > 0 ? page.truncatedUpTo : undefined,
    versions: page.versions.map((version) => toVersionBody(version, aspect.recordName)),
    isCut: page.oldest > startVersion || page.truncatedUpTo >= startVersion ? true : undefined,
    next: toNextRange(page, query),
  };
}

function toVersionBody(past: PastVersion, recordName: string): JsonOutputObject {
  const { version, kind, value, created, systemMetadata } = past;
  return {
    version,
    kind: kind === 'delete' ? 'DELETE' : 'UPSERT',
    aspect: value === undefined ? undefined : { [recordName]: new RawJson(value) },
    isErased: kind === 'upsert' && value === undefined ? true : undefined,
    created: { time: created.time, actor: created.actor },
    systemMetadata: { ...systemMetadata, version: String(version) },
  };
}

/** Returns the range of the next page in the same direction. */
function toNextRange(page: VersionPage, query: VersionsQuery): JsonOutputObject | undefined {
  const last = page.versions.at(-1);
  if (!page.hasMore || last === undefined) return undefined;
  const { startVersion, endVersion, newestFirst } = query;
  return newestFirst
    ? { startVersion, endVersion: last.version - 1 }
    : { startVersion: last.version + 1, endVersion };
}
