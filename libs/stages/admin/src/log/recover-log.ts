import { InvalidRequestError, type JsonOutputObject } from '@stratalog/model';
import type { LogPartitionState, LogRecovery } from '@stratalog/ports';

export interface LogDeps {
  /** None where the log is in the store, and cannot move. */
  readonly logRecovery?: LogRecovery;
}

/** Describes the proposal log, partition by partition. */
export async function describeLog({ logRecovery }: LogDeps): Promise<JsonOutputObject> {
  const states = (await logRecovery?.inspect()) ?? [];
  return { partitions: states.map(formatState) };
}

/**
 * Gives up the former log and continues in the present one; a dry run only says what that loses.
 *
 * **Errors**: those of `LogRecovery.adopt`; `InvalidRequestError` where the log is in the store.
 */
export async function adoptLog(deps: LogDeps, isDryRun: boolean): Promise<JsonOutputObject> {
  const recovery = requireRecovery(deps);
  const { topic, partitions } = await (isDryRun ? recovery.planAdoption() : recovery.adopt());
  const lost = partitions.reduce((sum, each) => sum + each.lost, 0);
  return { topic, isDryRun, lost, partitions: partitions.map((each) => ({ ...each })) };
}

/**
 * Continues in the former log, which was put back.
 *
 * **Errors**: those of `LogRecovery.resume`; `InvalidRequestError` where the log is in the store.
 */
export async function resumeLog(deps: LogDeps): Promise<JsonOutputObject> {
  return { partitions: [...(await requireRecovery(deps).resume())] };
}

function requireRecovery({ logRecovery }: LogDeps): LogRecovery {
  if (logRecovery === undefined)
    throw new InvalidRequestError(
      'The proposal log of this catalog is in its store: it cannot move by itself',
    );
  return logRecovery;
}

function formatState({ sinceMs, ...state }: LogPartitionState): JsonOutputObject {
  const kind = state.reason === undefined ? 'applied' : sinceMs === undefined ? 'moved' : 'stopped';
  return { ...state, state: kind, ...(sinceMs === undefined ? {} : { sinceMillis: sinceMs }) };
}
