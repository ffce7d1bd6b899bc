import { compileDefinition } from '@stratalog/metadata-tests';
import type { JsonOutputObject } from '@stratalog/json';
import { findExisting } from '@stratalog/concurrency';
import { entityNamed } from '@stratalog/registry';
import { Explanations, evaluateEntities, type EvaluationDeps } from './evaluate-entity';
import { describeOutcome } from './evaluate-tests';

/** The definition is of no test of the catalog. */
const UNSAVED = { urn: '', keyVersion: 0, name: '', md5: '' };

/**
 * Checks the definition of a test that is not saved, and evaluates it for entities on the latest values of the store.
 *
 * **Shape**: the faults of the definition, or the outcome of each entity that exists.
 *
 * **Errors**: `InvalidRequestError` for a malformed urn.
 */
export async function tryDefinition(
  deps: EvaluationDeps,
  text: string,
  urns: readonly string[],
): Promise<JsonOutputObject> {
  for (const urn of urns) entityNamed(deps.registry, urn);
  const definition = compileDefinition(deps.registry, text);
  if (definition.kind === 'faulty') {
    return { faults: definition.faults.map(({ path, reason }) => ({ path, reason })), results: [] };
  }
  const existing = await findExisting(deps.store, urns);
  const tests = [{ ...UNSAVED, definition }];
  const entities = [...new Set(urns)].filter((urn) => existing.has(urn)).map((urn) => ({ urn, tests }));
  const reports = await evaluateEntities(deps, entities, { explanations: new Explanations() });
  const results = entities.map(({ urn }, at) => {
    const [report] = reports[at] ?? [];
    return { urn, ...(report === undefined ? {} : describeOutcome(report.outcome)) };
  });
  return { faults: [], results };
}
