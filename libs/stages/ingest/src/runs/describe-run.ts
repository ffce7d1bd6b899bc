import { InvalidRequestError, RawJson, type JsonOutputObject } from '@stratalog/model';
import type { RunStore } from '@stratalog/ports';
import type { EntityRegistry } from '@stratalog/registry';
import { HIDDEN, rejectNoRun, summarize } from './run-queries';

export interface RunDeps {
  readonly runs: RunStore;
  readonly registry: EntityRegistry;
}

export interface RunListRequest {
  readonly pageOffset: number;
  readonly pageSize: number;
  readonly includeSoft: boolean;
}

export interface RunDescriptionRequest {
  readonly runId: string;
  readonly start: number;
  readonly count: number;
  readonly includeSoft: boolean;
  readonly includeAspect: boolean;
}

/**
 * The runs that have anything, the last to write first.
 *
 * **Source**: entity and aspect behaviour, section 5.
 */
export async function listRuns(
  { runs }: RunDeps,
  { pageOffset, pageSize, includeSoft }: RunListRequest,
): Promise<JsonOutputObject[]> {
  const page = { start: pageOffset, limit: pageSize, exceptSoftDeleted: includeSoft ? undefined : HIDDEN };
  const found = pageSize === 0 ? [] : await runs.runs(page);
  return found.map(({ runId, lastMs, aspects }) => ({ runId, timestamp: lastMs, rows: aspects }));
}

/**
 * A page of the aspects that a run has, the first to be written first.
 *
 * **Errors**: `InvalidRequestError` for the id that stands for no run, and when the values would be too large together.
 *
 * **Source**: entity and aspect behaviour, section 5.
 */
export async function describeRun(
  { runs, registry }: RunDeps,
  { runId, start, count, includeSoft, includeAspect }: RunDescriptionRequest,
): Promise<JsonOutputObject[]> {
  rejectNoRun(runId);
  const exceptSoftDeleted = includeSoft ? undefined : HIDDEN;
  const question = { runId, start, limit: count, exceptSoftDeleted };
  const found = await runs.listAspects({ ...question, withValues: includeAspect });
  if (includeAspect && found.length < count && (await runs.listAspects(question)).length > found.length) {
    throw new InvalidRequestError(
      `Parameter 'count': the values of ${String(count)} aspects are too large for one answer; ask for ${String(found.length)}`,
    );
  }
  return found.map((aspect) => {
    const { value } = aspect;
    const summary = summarize(registry, runId, aspect);
    return value === undefined ? summary : { ...summary, aspect: new RawJson(value) };
  });
}
