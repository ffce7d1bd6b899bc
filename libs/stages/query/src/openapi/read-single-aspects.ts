import { InvalidRequestError } from '@stratalog/domain';
import { parseJson, type JsonObject } from '@stratalog/json';
import { inParallel } from '@stratalog/concurrency';
import type { AspectRef } from '@stratalog/ports';
import type { EntityType } from '@stratalog/registry';
import { rejectLongAnswer } from '../entities/batch-reads';
import { readAspectVersion } from '../entities/read-versioned-entities';
import { type AspectView, type ReadDeps } from '../entities/view-entities';

export interface ListedEntity {
  readonly urn: string;
  /** The version to read of each aspect, 0 for the latest; epoch ms of timeseries aspects. Empty: all aspects. */
  readonly versions: ReadonlyMap<string, number>;
}

/** An aspect in an answer. A timeseries value has no audit stamp. */
export type ListedAspect = Pick<AspectView, 'name' | 'value' | 'systemMetadata'> &
  Partial<Pick<AspectView, 'created'>>;

interface SingleRead extends AspectRef {
  /** Index of the entity that requests it. */
  readonly of: number;
  readonly isTimeseries: boolean;
  readonly version: number;
}

const MAX_SINGLE_READS = 10_000;
/** Leaves connections to other calls. */
const READS_AT_ONCE = 4;

/**
 * Reads the requested past versions and timeseries values of entities; each takes a statement of its own, unlike the
 * latest versions.
 *
 * **Shape**: for each entity the aspects that exist.
 *
 * **Errors**: `InvalidRequestError` for more than {@link MAX_SINGLE_READS}, and for values that exceed an answer.
 */
export async function readSingleAspects(
  deps: Pick<ReadDeps, 'store' | 'batchReads'>,
  type: EntityType,
  entities: readonly ListedEntity[],
): Promise<readonly (readonly ListedAspect[])[]> {
  const wanted = entities.flatMap((entity, of) => listSingleReads(type, entity, of));
  const reads = await withoutEmptySeries(deps, wanted);
  if (reads.length > MAX_SINGLE_READS) {
    throw new InvalidRequestError(
      `Parameter 'entities' requests ${String(reads.length)} past versions and timeseries values; at most ${String(MAX_SINGLE_READS)} are read at once`,
    );
  }
  const found: ListedAspect[][] = entities.map(() => []);
  let length = 0;
  await inParallel(reads, READS_AT_ONCE, async (read) => {
    const aspect = await (read.isTimeseries
      ? readValue(deps, read)
      : readAspectVersion(deps, read, read.version));
    if (aspect === undefined) return;
    length += aspect.value.length;
    rejectLongAnswer(length, deps.batchReads.maxLength);
    found[read.of]?.push(aspect);
  });
  return found;
}

function listSingleReads(
  { aspects }: EntityType,
  { urn, versions }: ListedEntity,
  of: number,
): readonly SingleRead[] {
  const names = versions.size === 0 ? [...aspects.keys()] : [...versions.keys()];
  return names.flatMap((aspectName) => {
    const kind = aspects.get(aspectName)?.kind;
    const version = versions.get(aspectName) ?? 0;
    if (kind === undefined || (kind === 'versioned' && version === 0)) return [];
    return [{ of, urn, aspectName, version, isTimeseries: kind === 'timeseries' }];
  });
}

/** Most series that a request without names asks for have no value, which one statement tells of many. */
async function withoutEmptySeries(
  { store }: Pick<ReadDeps, 'store'>,
  reads: readonly SingleRead[],
): Promise<readonly SingleRead[]> {
  const series = reads.filter(({ isTimeseries }) => isTimeseries);
  if (series.length <= READS_AT_ONCE) return reads;
  const full = new Set<string>();
  for (let left = series; left.length > 0;) {
    const { values, rest } = await store.readLatestValues(left);
    for (const [urn, latest] of values)
      for (const { aspectName } of latest) full.add(`${urn}\n${aspectName}`);
    left = series.filter(({ urn }) => rest.includes(urn));
  }
  return reads.filter(
    ({ isTimeseries, urn, aspectName }) => !isTimeseries || full.has(`${urn}\n${aspectName}`),
  );
}

async function readValue(
  { store }: Pick<ReadDeps, 'store'>,
  { urn, aspectName, version }: SingleRead,
): Promise<ListedAspect | undefined> {
  const within = version === 0 ? {} : { endMs: version };
  const page = await store.readTimeseries({ urn, aspectName, within, latestFirst: true, limit: 1 });
  const [latest] = page.timeseriesValues;
  if (latest === undefined) return undefined;
  const systemMetadata = parseJson(latest.systemMetadata) as JsonObject;
  return { name: aspectName, value: latest.value, systemMetadata };
}
