import { InvalidRequestError } from '@stratalog/domain';
import type { JsonOutputObject } from '@stratalog/json';
import type { AspectRef } from '@stratalog/ports';
import { entityNamed, suggestAspect } from '@stratalog/registry';
import { restateBatch, type RestoreDeps } from './restore-indices';
import { addResult, toResultRecord, type RestoreResult } from './restore-text';

export interface EntitiesRestore {
  readonly urns: readonly string[];
  /** Absent: all aspects of the entities. */
  readonly aspectNames?: readonly string[] | undefined;
  readonly batchSize: number;
}

/**
 * Restates the latest aspects of some entities, as `restateSelected` does, and answers the result of each batch.
 *
 * **Order and repeats**: in the order of the urns, each once, and by aspect name.
 *
 * **Errors**: `InvalidRequestError` for a malformed urn, an unknown entity type, and an aspect that the model does not have, before anything
 * is restated; `UnavailableError` when the log or the writer does not answer in time. What was restated before stays.
 */
export async function restoreEntities(
  deps: RestoreDeps,
  { urns, aspectNames, batchSize }: EntitiesRestore,
  actor: string,
): Promise<JsonOutputObject[]> {
  const { registry } = deps;
  for (const urn of urns) entityNamed(registry, urn);
  for (const name of aspectNames ?? []) {
    if (registry.aspect(name) === undefined) {
      const near = suggestAspect(registry, name);
      throw new InvalidRequestError(`Parameter 'aspectNames': the model has no aspect ${name}${near}`);
    }
  }
  let results: readonly RestoreResult[] = [];
  const restate = async (aspects: readonly AspectRef[], beganAt: number): Promise<void> => {
    const timeSqlQueryMs = Math.round(performance.now() - beganAt);
    results = addResult(results, { timeSqlQueryMs, ...(await restateBatch(deps, aspects, actor)) });
  };
  let batch: AspectRef[] = [];
  let beganAt = performance.now();
  for (const urn of new Set(urns)) {
    const aspects = await deps.latest.listAspects({ ...WHOLE, urn });
    batch.push(...aspects.filter((each) => aspectNames?.includes(each.aspectName) ?? true));
    while (batch.length >= batchSize) {
      await restate(batch.slice(0, batchSize), beganAt);
      batch = batch.slice(batchSize);
      beganAt = performance.now();
    }
  }
  if (batch.length > 0 || results.length === 0) await restate(batch, beganAt);
  return results.map((result) => ({ ...toResultRecord(result) }));
}

/** More than the aspects of any entity type. */
const MAX_ASPECTS = 1_000;
const WHOLE = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER, start: 0, limit: MAX_ASPECTS };
