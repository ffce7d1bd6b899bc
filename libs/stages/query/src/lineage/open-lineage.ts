import { liveGraph, openPast, type LineageDeps, type LineageModel } from '@stratalog/lineage';
import { InvalidRequestError } from '@stratalog/domain';
import type { JsonOutputObject } from '@stratalog/json';
import type {
  AspectHistory,
  AspectRef,
  AspectStore,
  Clock,
  GraphIndex,
  GraphIndexVersions,
} from '@stratalog/ports';
import { findLineageAspects, projectAspect } from '@stratalog/projection';
import { findEntityType, type EntityRegistry } from '@stratalog/registry';

export interface LineageUseCaseDeps {
  readonly store: AspectStore;
  readonly history: AspectHistory;
  readonly registry: EntityRegistry;
  readonly graphIndexes: GraphIndexVersions;
  readonly clock: Clock;
}

/** Lineage of the present, or as of a time. */
export interface OpenedLineage extends LineageDeps {
  /** The members of an answer about its time; empty for the present. */
  readonly about: JsonOutputObject;
  /** Aspects whose lineage at that time was purged; it may grow while the graph is read. */
  readonly lost: readonly AspectRef[];
  /** Reads pages of a hub; absent for the past. */
  readonly pages?: Pick<GraphIndex, 'lineagePage'>;
}

/** Most entities that an answer names as purged. */
const MAX_PURGED = 100;

/**
 * Opens the live graph, or lineage as of a time.
 *
 * **Errors**: `UnavailableError` while the first graph is being built; `InvalidRequestError` for a time in the future, and
 * the errors of `openPast`.
 */
export async function openLineage(
  deps: LineageUseCaseDeps,
  timeMs: number | undefined,
  parameter = 'asOf',
): Promise<OpenedLineage> {
  const { store, history, registry, clock } = deps;
  const live = await liveGraph(deps.graphIndexes);
  if (timeMs === undefined) return { store, graph: live, pages: live, about: {}, lost: [] };
  const now = clock.now();
  if (timeMs > now) {
    const [asked, current] = [toIsoTime(timeMs), toIsoTime(now)];
    throw new InvalidRequestError(`Parameter '${parameter}' is ${asked}, in the future: it is ${current}`);
  }
  const past = await openPast({ store, history, live, model: toModel(registry) }, { timeMs, parameter });
  return {
    ...past,
    // Read after the walk, which may find more that was purged.
    get about() {
      return { asOf: timeMs, ...describePurged(past.lost) };
    },
  };
}

/** Describes aspects whose lineage was purged: edges that they had then are missing in the answer. */
export function describePurged(lost: readonly AspectRef[]): JsonOutputObject {
  if (lost.length === 0) return {};
  const entities = [...new Set(lost.map(({ urn }) => urn))];
  return { purged: { total: entities.length, entities: entities.slice(0, MAX_PURGED) } };
}

function toModel(registry: EntityRegistry): LineageModel {
  return {
    aspectNames: findLineageAspects(registry),
    project: projectAspect(registry),
    keyAspect: (urn) => findEntityType(registry, urn)?.keyAspect.name,
  };
}

/** Beyond the year 275760 a time has no date. */
function toIsoTime(timeMs: number): string {
  const date = new Date(timeMs);
  return Number.isNaN(date.getTime()) ? String(timeMs) : date.toISOString();
}
