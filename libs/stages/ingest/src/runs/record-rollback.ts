import { isJsonObject, parseJson, stringifyJson } from '@stratalog/json';
import { requireEntityType } from '@stratalog/registry';
import type { Caller } from '../proposals/create-caller';
import type { UpdateDeps } from '../proposals/ingest-proposal';
import { writeIfUnchanged } from '../deletion/write-if-unchanged';

const REQUEST_TYPE = 'dataHubExecutionRequest';
const RESULT = 'dataHubExecutionRequestResult';
const ROLLED_BACK = 'ROLLED_BACK';

/**
 * Sets the status of the run's execution report to `ROLLED_BACK`, if the run has one. Leaves the report alone when a
 * concurrent write changes it.
 */
export async function recordRollback(deps: UpdateDeps, runId: string, caller: Caller): Promise<void> {
  const { registry, store } = deps;
  const urn = `urn:${registry.urnNamespace}:${REQUEST_TYPE}:${runId}`;
  const entity = requireEntityType(registry, urn);
  if ('fault' in entity) return;
  const result = (await store.readEntity(urn, [RESULT]))?.aspects[0];
  if (result === undefined) return;
  const value = parseJson(result.value);
  if (!isJsonObject(value)) return;
  const { version } = result;
  const change = { urn, entityType: entity.entityType.name, aspectName: RESULT, version };
  await writeIfUnchanged(
    deps,
    { ...change, value: stringifyJson({ ...value, status: ROLLED_BACK }) },
    caller,
  );
}
