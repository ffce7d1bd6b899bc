import { isJsonObject, parseJson, stringifyJson } from '@stratalog/json';
import type { EntityType } from '@stratalog/registry';
import type { Caller } from '../proposals/create-caller';
import type { IngestDeps, UpdateDeps } from '../proposals/ingest-proposal';
import { rolledBack, type RollbackOutcome, type RunAspectToRollBack } from './roll-back-aspect';
import { SOFT_DELETED } from './run-queries';
import { writeIfUnchanged } from '../deletion/write-if-unchanged';

/** Most attempts to write a `status` under concurrent writes. */
const ATTEMPTS = 8;

/** Hard-deletes an entity that a run created, with all later writes of others. */
export async function deleteCreatedEntity(
  deps: IngestDeps,
  { runId, ...key }: RunAspectToRollBack,
  caller: Caller,
): Promise<RollbackOutcome> {
  const outcome = await writeIfUnchanged(deps, { ...key, systemMetadata: rolledBack(runId) }, caller);
  return outcome.kind === 'written' ? { kind: 'done' } : { kind: 'left', reason: outcome.cause.message };
}

/**
 * Soft-deletes an entity that a run created. Writes of others stay, and the entity can come back. One that was hard-deleted meanwhile stays so.
 */
export async function hideCreatedEntity(
  deps: UpdateDeps,
  { urn, runId, version: keyVersion }: RunAspectToRollBack,
  { entityType, caller }: { readonly entityType: EntityType; readonly caller: Caller },
): Promise<RollbackOutcome> {
  const { aspectName, member } = SOFT_DELETED;
  if (!entityType.aspects.has(aspectName)) {
    return {
      kind: 'left',
      reason: `Entities of type ${entityType.name} have no ${aspectName} that could soft-delete them`,
    };
  }
  for (let attempt = 1; ; attempt++) {
    const stored = (await deps.store.readEntity(urn, [aspectName]))?.aspects[0];
    const value = stored === undefined ? {} : parseJson(stored.value);
    const status = stringifyJson({ ...(isJsonObject(value) ? value : {}), [member]: true });
    const outcome = await writeIfUnchanged(
      deps,
      {
        urn,
        entityType: entityType.name,
        aspectName,
        version: stored?.version ?? -1,
        keyVersion,
        value: status,
        systemMetadata: rolledBack(runId),
      },
      caller,
    );
    if (outcome.kind === 'written') return { kind: 'done' };
    if (attempt === ATTEMPTS) return { kind: 'left', reason: outcome.cause.message };
  }
}
