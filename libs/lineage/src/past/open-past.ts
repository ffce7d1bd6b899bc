import { InvalidRequestError } from '@stratalog/domain';
import type { AspectRef } from '@stratalog/ports';
import type { LineageDeps } from '../read-lineage';
import { PastChanges } from './past-changes';
import type { PastDeps } from './past-deps';
import { PastGraph } from './past-graph';
import { PastVisibility } from './past-visibility';

/** A time, and the parameter that named it. */
export interface AskedTime {
  /** Epoch milliseconds. */
  readonly timeMs: number;
  readonly parameter: string;
}

/** Lineage as of a time. */
export interface PastLineage extends LineageDeps {
  /** Aspects whose lineage at that time is unknown, because retention purged it. It may grow while the graph is read. */
  readonly lost: readonly AspectRef[];
}

/**
 * Opens lineage as of the end of a millisecond, from the history of the store. The model of today reads the former values.
 *
 * **Errors**: `InvalidRequestError` for a time before the first change of the store, and one with too many changes since.
 */
export async function openPast(deps: PastDeps, { timeMs, parameter }: AskedTime): Promise<PastLineage> {
  const { history, model } = deps;
  const { position, firstChangeMs } = await history.positionAt(timeMs);
  const asked = `Parameter '${parameter}' is ${new Date(timeMs).toISOString()}`;
  if (firstChangeMs !== undefined && timeMs < firstChangeMs) {
    throw new InvalidRequestError(
      `${asked}; the history of the store begins at ${new Date(firstChangeMs).toISOString()}`,
    );
  }
  const tooMany = (what: string) =>
    new InvalidRequestError(`${asked}; more than ${what} since then: choose a later time`);
  const changes = new PastChanges({ ...deps, timeMs, position, tooMany });
  await changes.readOn();
  return {
    graph: new PastGraph(deps.live, changes),
    store: new PastVisibility({ history, timeMs, keyAspect: model.keyAspect }),
    lost: changes.lost,
  };
}
