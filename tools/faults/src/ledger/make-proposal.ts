import { stringifyJson, type JsonObject } from '@stratalog/json';
import type { NewSend } from './ledger';
import { sentValue } from './sent-value';

/** The number of runs that write; one more share of the sends names none. */
const RUNS = 5;

/** Converts a send to the proposal that every way into the catalog accepts. */
export function toProposal(send: NewSend): JsonObject {
  const { urn, aspectName, value } = send;
  const runId = runOfSend(send);
  return {
    entityType: 'dataset',
    entityUrn: urn,
    changeType: 'UPSERT',
    aspectName,
    aspect: { value: stringifyJson(sentValue(aspectName, value)), contentType: 'application/json' },
    ...(runId === undefined ? {} : { systemMetadata: { runId } }),
  };
}

/** A restated value may name another run than before, which must not take it over. */
function runOfSend({ value, isAsync }: NewSend): string | undefined {
  const run = (value + (isAsync ? 1 : 0)) % (RUNS + 1);
  return run === 0 ? undefined : `faults-${run}`;
}
