import { InvalidRequestError, NO_RUN_ID, runIdFault } from '@stratalog/domain';
import type { SoftDeletedBy, RunAspect, RunAspectsQuery, RunStore } from '@stratalog/ports';
import type { EntityRegistry } from '@stratalog/registry';

/** The aspect member that soft-deletes an entity: searches and answers about runs leave it out. */
export const SOFT_DELETED: SoftDeletedBy = { aspectName: 'status', member: 'removed' };

/**
 * Rejects `no-run-id-provided`, and ids that no run can have.
 *
 * **Errors**: `InvalidRequestError`.
 */
export function rejectNoRun(runId: string): void {
  const fault = runIdFault(runId);
  if (fault !== undefined) throw new InvalidRequestError(`Parameter 'runId' ${fault}`);
  if (runId !== NO_RUN_ID) return;
  throw new InvalidRequestError(
    `Parameter 'runId': ${NO_RUN_ID} stands for writes that named no run, so there is no such run`,
  );
}

export function listKeyAspects({ entityTypes }: EntityRegistry): readonly string[] {
  return [...new Set(entityTypes.map(({ keyAspect }) => keyAspect.name))];
}

/** Formats an aspect of a run for an answer. The reference declares `metadata` but never fills it, nor does this. */
export function summarize(
  registry: EntityRegistry,
  runId: string,
  { urn, aspectName, version, writtenMs }: Pick<RunAspect, 'urn' | 'aspectName' | 'version' | 'writtenMs'>,
) {
  const keyAspect = registry.aspect(aspectName)?.isKey ?? false;
  return { runId, aspectName, urn, timestamp: writtenMs, keyAspect, version };
}

/** Pages through all aspects of a query; `limit` is the size of a page. */
export async function* pagesOfRun(
  runs: RunStore,
  query: RunAspectsQuery,
): AsyncGenerator<readonly RunAspect[]> {
  for (let after: RunAspect | undefined; ;) {
    const page = await runs.listAspects({ ...query, after });
    if (page.length > 0) yield page;
    if (page.length < query.limit) return;
    after = page.at(-1);
  }
}
