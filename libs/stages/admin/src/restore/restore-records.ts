import type { JsonOutputObject } from '@stratalog/json';
import { restateSelected, type RestoreDeps, type RestoreRequest } from './restore-indices';
import { toResultRecord } from './restore-text';

/** Restates latest aspects as `restateSelected` does, and answers the result of each batch as JSON. **Errors**: the same. */
export async function restoreSelected(
  deps: RestoreDeps,
  request: RestoreRequest,
  actor: string,
): Promise<JsonOutputObject[]> {
  const { results } = await restateSelected(deps, request, { actor, aspectParameter: 'aspectName' });
  return results.map((result) => ({ ...toResultRecord(result) }));
}
