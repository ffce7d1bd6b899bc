import { InvalidRequestError, NO_RUN_ID, runIdFault, type JsonOutputObject } from '@stratalog/model';
import type { SoftDeletedBy, RunAspect, RunAspectsQuery, RunStore } from '@stratalog/ports';
import type { EntityRegistry } from '@stratalog/registry';

/** What hides an entity from searches, and from answers about runs. */
export const HIDDEN: SoftDeletedBy = { aspectName: 'status', member: 'removed' };

/** **Errors**: `InvalidRequestError` for the id that stands for no run, and for one that no run can have. */
export function rejectNoRun(runId: string): void {
  const fault = runIdFault(runId);
  if (fault !== undefined) throw new InvalidRequestError(`Parameter 'runId' ${fault}`);
  if (runId !== NO_RUN_ID) return;
  throw new InvalidRequestError(
    `Parameter 'runId': ${NO_RUN_ID} stands for writes that named no run, so there is no such run`,
  );
}

export function keyAspectsOf({ entityTypes }: EntityRegistry): readonly string[] {
  return [...new Set(entityTypes.map(({ keyAspect }) => keyAspect.name))];
}

/** An aspect of a run as answers name it. `metadata`, which the reference declares, it never fills either. */
export function summarize(
  registry: EntityRegistry,
  runId: string,
  { urn, aspectName, version, writtenMs }: RunAspect,
): JsonOutputObject {
  const keyAspect = registry.aspect(aspectName)?.isKey ?? false;
  return { runId, aspectName, urn, timestamp: writtenMs, keyAspect, version };
}

/** All aspects that a question is about, page after page; `limit` is that of a page. */
export async function* pagesOfRun(
  runs: RunStore,
  question: RunAspectsQuery,
): AsyncGenerator<readonly RunAspect[]> {
  for (let after: RunAspect | undefined; ;) {
    const page = await runs.listAspects({ ...question, after });
    if (page.length > 0) yield page;
    if (page.length < question.limit) return;
    after = page.at(-1);
  }
}
