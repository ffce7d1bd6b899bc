import type { JsonOutputObject } from '@stratalog/json';
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
 * Gives up the former log and continues in the present one; a dry run only says what that loses. A log in the store cannot move, and loses nothing.
 *
 * **Errors**: those of `LogRecovery.adopt`.
 */
export async function adoptLog({ logRecovery }: LogDeps, isDryRun: boolean): Promise<JsonOutputObject> {
  if (logRecovery === undefined) return { topic: '', isDryRun, lost: 0, partitions: [] };
  const { topic, partitions } = await (isDryRun ? logRecovery.planAdoption() : logRecovery.adopt());
  const lost = partitions.reduce((sum, each) => sum + each.lost, 0);
  return { topic, isDryRun, lost, partitions: partitions.map((each) => ({ ...each })) };
}

/**
 * Continues in the former log, which was put back.
 *
 * **Errors**: those of `LogRecovery.resume`.
 */
export async function resumeLog({ logRecovery }: LogDeps): Promise<JsonOutputObject> {
  return { partitions: [...((await logRecovery?.resume()) ?? [])] };
}

function formatState({ sinceMs, ...state }: LogPartitionState): JsonOutputObject {
  const kind = state.reason === undefined ? 'applied' : sinceMs === undefined ? 'moved' : 'stopped';
  return { ...state, state: kind, ...(sinceMs === undefined ? {} : { sinceMillis: sinceMs }) };
}
