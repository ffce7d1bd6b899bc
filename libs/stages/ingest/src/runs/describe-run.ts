import { InvalidRequestError } from '@stratalog/domain';
import { RawJson, type JsonOutputObject } from '@stratalog/json';
import type { RunStore } from '@stratalog/ports';
import type { EntityRegistry } from '@stratalog/registry';
import { SOFT_DELETED, rejectNoRun, summarize } from './run-queries';

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
 * Lists the runs that still own an aspect, the most recent write first.
 *
 * **Source**: `docs/wire-decisions.md`, Runs.
 */
export async function listRuns(
  { runs }: RunDeps,
  { pageOffset, pageSize, includeSoft }: RunListRequest,
): Promise<JsonOutputObject[]> {
  const page = {
    start: pageOffset,
    limit: pageSize,
    exceptSoftDeleted: includeSoft ? undefined : SOFT_DELETED,
  };
  const listed = pageSize === 0 ? [] : await runs.runs(page);
  return listed.map(({ runId, lastMs, aspects }) => ({ runId, timestamp: lastMs, rows: aspects }));
}

/**
 * Lists a page of the aspects of a run, the earliest write first.
 *
 * **Errors**: `InvalidRequestError` for `no-run-id-provided`, and when the values of the page are too large for one
 * answer.
 *
 * **Source**: `docs/wire-decisions.md`, Runs.
 */
export async function describeRun(
  { runs, registry }: RunDeps,
  { runId, start, count, includeSoft, includeAspect }: RunDescriptionRequest,
): Promise<JsonOutputObject[]> {
  rejectNoRun(runId);
  const exceptSoftDeleted = includeSoft ? undefined : SOFT_DELETED;
  const query = { runId, start, limit: count, exceptSoftDeleted };
  const listed = await runs.listAspects({ ...query, withValues: includeAspect });
  if (includeAspect && listed.length < count && (await runs.listAspects(query)).length > listed.length) {
    throw new InvalidRequestError(
      `Parameter 'count': the values of ${String(count)} aspects are too large for one answer; ask for ${String(listed.length)}`,
    );
  }
  return listed.map((aspect) => {
    const { value } = aspect;
    const summary = summarize(registry, runId, aspect);
    return value === undefined ? summary : { ...summary, aspect: new RawJson(value) };
  });
}
