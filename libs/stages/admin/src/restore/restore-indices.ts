import { restateAspects, restoreTimeseries, type RestateDeps } from '@stratalog/indexing';
import { InvalidRequestError, entityTypeIn, urnPatternFault } from '@stratalog/domain';
import { inParallel } from '@stratalog/concurrency';
import type { AspectRef, LatestAspects, TimeseriesIndexing } from '@stratalog/ports';
import {
  entityNamed,
  listTimeseriesSeries,
  suggestAspect,
  unknownAspect,
  type EntityRegistry,
} from '@stratalog/registry';
import { addResult, formatRestore, type RestoreArguments, type RestoreResult } from './restore-text';

export interface RestoreDeps extends RestateDeps {
  readonly registry: EntityRegistry;
  readonly latest: LatestAspects;
  /** The index of timeseries values; none when statistics come from the store alone. */
  readonly timeseriesIndex?: TimeseriesIndexing;
  /** Called for an entity with a timeseries value that could not be projected or written. */
  readonly onUnindexable: (urn: string, cause: unknown) => void;
}

export interface RestoreRequest extends Omit<RestoreArguments, 'limit' | 'lePitEpochMs'> {
  /** Absent: one batch. 0: everything. */
  readonly limit?: number | undefined;
  /** Absent: now. */
  readonly lePitEpochMs?: number | undefined;
}

/** The actor of a restore, and the name of the aspect in the request. */
interface RestoreCall {
  readonly actor: string;
  readonly aspectParameter: string;
}

/** Restates latest aspects as {@link restateSelected} does, and answers the text of the reference, for people. */
export async function restoreIndices(
  deps: RestoreDeps,
  request: RestoreRequest,
  actor: string,
): Promise<string> {
  const { args, results } = await restateSelected(deps, request, { actor, aspectParameter: 'aspect' });
  return formatRestore(args, results);
}

/**
 * Restates latest aspects, so that every reader of the change log takes them in again: search index, graph, and consumers
 * on Kafka. No version changes. With the key aspect of an entity, its timeseries values are indexed again too.
 *
 * **Order and repeats**: by urn and aspect name. A repetition restates again.
 *
 * **Errors**: `InvalidRequestError` for a malformed urn or pattern, and an unknown aspect; `UnavailableError` when the log or the writer does not
 * answer in time. What was restated before stays.
 *
 * **Source**: `docs/wire-decisions.md`, Operations.
 */
export async function restateSelected(
  deps: RestoreDeps,
  request: RestoreRequest,
  { actor, aspectParameter }: RestoreCall,
): Promise<{ readonly args: RestoreArguments; readonly results: readonly RestoreResult[] }> {
  const { urn, batchSize, limit } = request;
  rejectUnknown(deps.registry, request, aspectParameter);
  const urnLike = resolvePattern(deps.registry, request.urnLike);
  const args = { ...request, limit: limit ?? 0, lePitEpochMs: request.lePitEpochMs ?? deps.clock.now() };
  const cap = limit === undefined ? batchSize : limit === 0 ? Number.POSITIVE_INFINITY : limit;
  let results: readonly RestoreResult[] = [];
  let after: AspectRef | undefined;
  for (let done = 0; done < cap;) {
    const beganAt = performance.now();
    const size = Math.min(batchSize, cap - done);
    const aspects = await deps.latest.listAspects({
      urn,
      aspectName: request.aspect,
      urnLike,
      fromMs: args.gePitEpochMs,
      toMs: args.lePitEpochMs,
      after,
      start: after === undefined ? request.start : 0,
      limit: size,
    });
    const timeSqlQueryMs = Math.round(performance.now() - beganAt);
    if (aspects.length > 0 || results.length === 0) {
      results = addResult(results, { timeSqlQueryMs, ...(await restateBatch(deps, aspects, actor)) });
    }
    done += aspects.length;
    after = aspects.at(-1);
    if (aspects.length < size) break;
  }
  return { args, results };
}

/**
 * Checks what a restore selects by.
 *
 * **Errors**: `InvalidRequestError` for a malformed urn, and an unknown aspect.
 */
export function rejectUnknown(
  registry: EntityRegistry,
  { urn, aspect }: Pick<RestoreRequest, 'urn' | 'aspect'>,
  aspectParameter: string,
): void {
  const entityType = urn === undefined ? undefined : entityNamed(registry, urn).entityType;
  if (aspect === undefined || (entityType?.aspects.has(aspect) ?? registry.aspect(aspect) !== undefined))
    return;
  throw new InvalidRequestError(
    entityType === undefined
      ? `Parameter '${aspectParameter}': the model has no aspect ${aspect}${suggestAspect(registry, aspect)}`
      : unknownAspect(entityType, aspect),
  );
}

export async function restateBatch(
  deps: RestoreDeps,
  aspects: readonly AspectRef[],
  actor: string,
): Promise<Omit<RestoreResult, 'timeSqlQueryMs'>> {
  const beganAt = performance.now();
  const rowsMigrated = (await restateAspects(deps, aspects, actor)).length;
  await restoreValues(deps, aspects);
  const last = aspects.at(-1);
  return {
    ignored: aspects.length - rowsMigrated,
    rowsMigrated,
    sendMessageMs: Math.round(performance.now() - beganAt),
    lastUrn: last?.urn ?? '',
    lastAspect: last?.aspectName ?? '',
  };
}

/** Entities whose timeseries values are indexed again at the same time. */
const AT_ONCE = 8;

/** Indexes the timeseries values of the entities again whose key aspect is among `aspects`: each entity has one. */
async function restoreValues(deps: RestoreDeps, aspects: readonly AspectRef[]): Promise<void> {
  const { registry, timeseriesIndex, onUnindexable } = deps;
  const index = await timeseriesIndex?.versions.live();
  if (timeseriesIndex === undefined || index === undefined) return;
  const { fieldsOf } = listTimeseriesSeries(registry);
  const keys = aspects.filter(
    ({ urn, aspectName }) => registry.entityType(entityTypeIn(urn))?.keyAspect.name === aspectName,
  );
  await inParallel(keys, AT_ONCE, ({ urn }) =>
    restoreTimeseries({ source: timeseriesIndex.source, fieldsOf, onUnindexable }, index, urn),
  );
}

/** The first two parts of a pattern of the reference's documentation, which omits the namespace of urns. */
const WITHOUT_NAMESPACE = /^urn:([^:%_\\]+):/;

/**
 * Checks a pattern, and adds the namespace to one that omits it, as the leading example of the reference's documentation
 * does: `urn:dataPlatform:%`.
 */
export function resolvePattern(registry: EntityRegistry, pattern: string | undefined): string | undefined {
  if (pattern === undefined) return undefined;
  const fault = urnPatternFault(pattern);
  if (fault !== undefined) throw new InvalidRequestError(`Parameter 'urnLike' ${fault}`);
  const first = WITHOUT_NAMESPACE.exec(pattern)?.[1];
  const omits =
    first !== undefined && first !== registry.urnNamespace && registry.entityType(first) !== undefined;
  return omits ? `urn:${registry.urnNamespace}:${pattern.slice('urn:'.length)}` : pattern;
}
