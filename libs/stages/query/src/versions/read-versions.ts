import {
  InvalidRequestError,
  NotFoundError,
  RawJson,
  didYouMean,
  type JsonOutputObject,
} from '@stratalog/model';
import type { PastVersion, VersionPage } from '@stratalog/ports';
import { entityNamed } from '@stratalog/registry';
import type { ReadDeps } from '../entities/view-entities';

export interface VersionsQuery {
  readonly urn: string;
  readonly aspectName: string;
  /** Both included; 0 or none for `endVersion` means the newest. */
  readonly startVersion: number;
  readonly endVersion: number;
  readonly newestFirst: boolean;
  readonly count: number;
}

/**
 * The versions of one aspect in a range of numbers, a page at a time. A deletion is a version without value.
 *
 * **Shape**: `{urn, aspectName, oldestVersion, newestVersion, erasedUpTo, versions: [{version, kind, aspect, isErased, created, systemMetadata}],
 * next}`; `next` holds the range of the page that follows and is absent on the last; `isCut` is there when the range begins before what is kept,
 * `truncatedUpTo` when retention has erased values, and `isErased` in place of a value that is not kept any more.
 *
 * **Errors**: `NotFoundError` when the aspect was never written; `InvalidRequestError` for a range that ends before it begins.
 */
export async function readVersions(
  { history, registry }: ReadDeps,
  question: VersionsQuery,
): Promise<JsonOutputObject> {
  const { urn, aspectName, startVersion, newestFirst, count } = question;
  const { entityType } = entityNamed(registry, urn);
  const endVersion = question.endVersion === 0 ? Number.MAX_SAFE_INTEGER : question.endVersion;
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
    next: nextOf(page, question),
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

/** The range of the next page in the same direction. */
function nextOf(page: VersionPage, question: VersionsQuery): JsonOutputObject | undefined {
  const last = page.versions.at(-1);
  if (!page.hasMore || last === undefined) return undefined;
  const { startVersion, endVersion, newestFirst } = question;
  return newestFirst
    ? { startVersion, endVersion: last.version - 1 }
    : { startVersion: last.version + 1, endVersion };
}
