import { isJsonObject, parseJson, stringifyJson } from '@stratalog/model';
import { requireEntityType } from '@stratalog/registry';
import type { Caller } from '../deletion/delete-entity';
import type { IngestDeps } from '../proposals/ingest-proposal';
import { writeIfUnchanged } from '../deletion/write-if-unchanged';

const REQUEST_TYPE = 'dataHubExecutionRequest';
const RESULT = 'dataHubExecutionRequestResult';
const ROLLED_BACK = 'ROLLED_BACK';

/** Says so in the report of the run, where there is one under its id. A report that somebody else writes meanwhile is left alone. */
export async function noteRollback(parts: IngestDeps, runId: string, caller: Caller): Promise<void> {
  const { registry, store } = parts;
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
    parts,
    { ...change, value: stringifyJson({ ...value, status: ROLLED_BACK }) },
    caller,
  );
}
