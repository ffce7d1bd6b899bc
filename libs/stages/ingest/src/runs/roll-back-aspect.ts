import { InvalidProposalError, RESTORED_AS, RESTORED_VERSION, runOf, type Proposal } from '@stratalog/domain';
import { isJsonObject, type JsonObject } from '@stratalog/json';
import type { AspectHistory, PastVersion, RunAspect } from '@stratalog/ports';
import type { Caller } from '../proposals/create-caller';
import { ingestProposalBatch } from '../proposals/ingest-proposal-batch';
import type { UpdateDeps } from '../proposals/ingest-proposal';
import {
  writeIfUnchanged,
  type ConditionalChange,
  type ConditionalOutcome,
} from '../deletion/write-if-unchanged';

export interface RollbackDeps extends UpdateDeps {
  readonly history: AspectHistory;
}

/** An aspect whose latest value the run wrote. */
export interface RunAspectToRollBack extends Pick<RunAspect, 'urn' | 'aspectName' | 'version'> {
  readonly entityType: string;
  readonly runId: string;
}

export type RollbackOutcome =
  | { readonly kind: 'done' }
  /** The aspect is unchanged. */
  | { readonly kind: 'left'; readonly reason: string };

/** Most attempts to roll back an aspect to which the run still writes. */
const ATTEMPTS = 8;
/** Versions in the first read of a history; for most aspects the first version is the run's. */
const FIRST_PAGE = 2;
const LARGEST_PAGE = 128;

/**
 * Restores an aspect to its state before the run: the last value of another writer, or no value.
 * The proposal requires that the run's value is still the latest, so a concurrent write wins.
 */
export async function rollBackAspect(
  deps: RollbackDeps,
  aspect: RunAspectToRollBack,
  caller: Caller,
): Promise<RollbackOutcome> {
  let { version } = aspect;
  for (let attempt = 1; ; attempt++) {
    const outcome = await proposeRollback(deps, { ...aspect, version }, caller);
    if (outcome.kind === 'written') return { kind: 'done' };
    const left = { kind: 'left' as const, reason: outcome.cause.message };
    const { urn, aspectName, runId } = aspect;
    const latest = (await deps.store.readEntity(urn, [aspectName]))?.aspects[0];
    if (latest === undefined || runOf(latest.systemMetadata) !== runId) return left;
    if (latest.version === version || attempt === ATTEMPTS) return left;
    ({ version } = latest);
  }
}

async function proposeRollback(
  deps: RollbackDeps,
  aspect: RunAspectToRollBack,
  caller: Caller,
): Promise<ConditionalOutcome> {
  const { urn, entityType, aspectName, version, runId } = aspect;
  const change = { urn, entityType, aspectName, version };
  const { former, latestValue } = await readFormer(deps.history, aspect);
  if (former?.value === undefined) {
    return writeIfUnchanged(deps, { ...change, systemMetadata: rolledBack(runId) }, caller);
  }
  const { value } = former;
  const restored = (restoredAs: number): JsonObject => toMetadata(former, restoredAs);
  if (value === latestValue) return deleteAndRewrite(deps, { ...change, value }, { caller, restored });
  return writeIfUnchanged(deps, { ...change, value, systemMetadata: restored(version + 1) }, caller);
}

/** System metadata of a rollback that restores no earlier version. */
export function rolledBack(runId: string): JsonObject {
  return { properties: { rolledBackRun: runId } };
}

/**
 * Deletes and rewrites the value in one commit. A plain write of an equal value would only refresh `lastObserved`,
 * and the value would stay the run's.
 */
async function deleteAndRewrite(
  deps: RollbackDeps,
  { urn, entityType, aspectName, version, value }: ConditionalChange,
  { caller, restored }: { readonly caller: Caller; readonly restored: (restoredAs: number) => JsonObject },
): Promise<ConditionalOutcome> {
  const common = { urn, entityType, aspectName, actor: caller.actor };
  const systemMetadata = restored(version + 2);
  const proposals: readonly Proposal[] = [
    { ...common, changeType: 'DELETE', headers: { 'If-Version-Match': String(version) }, systemMetadata },
    { ...common, changeType: 'UPDATE', ...(value === undefined ? {} : { value }), systemMetadata },
  ];
  try {
    await ingestProposalBatch(deps, proposals, { isAsync: false });
    return { kind: 'written' };
  } catch (error) {
    if (error instanceof InvalidProposalError) return { kind: 'rejected', cause: error };
    throw error;
  }
}

interface Former {
  /** The last version of another writer; absent when no earlier value is left. */
  readonly former?: PastVersion;
  readonly latestValue?: string | undefined;
}

/**
 * Walks back from the latest version. At a version that a rollback restored, it continues before the restored
 * version: the versions between were rolled back.
 */
async function readFormer(
  history: AspectHistory,
  { urn, aspectName, version, runId }: RunAspectToRollBack,
): Promise<Former> {
  // The run created the aspect, so there is no history to read. This holds for all aspects of entities that the run
  // created.
  if (version === 1) return {};
  let latestValue: string | undefined;
  let to = version;
  for (let limit = FIRST_PAGE; to > 0; limit = Math.min(limit * 4, LARGEST_PAGE)) {
    const page = await history.listVersions({ urn, aspectName, from: 1, to, newestFirst: true, limit });
    for (const past of page?.versions ?? []) {
      if (past.version === version) latestValue = past.value;
      if (past.version > to) continue;
      if (past.value === undefined) return { latestValue };
      if (runOf(past.systemMetadata) !== runId) return { former: past, latestValue };
      to = readOrigin(past) - 1;
    }
    if (page?.hasMore !== true) break;
  }
  return { latestValue };
}

/**
 * Copies the system metadata of the original version and adds its number. It adds the version's own number too:
 * clients copy properties from reads to writes, and there the marks must have no effect.
 */
function toMetadata(former: PastVersion, restoredAs: number): JsonObject {
  const { systemMetadata } = former;
  const properties = isJsonObject(systemMetadata.properties) ? systemMetadata.properties : {};
  const marks = { [RESTORED_VERSION]: String(readOrigin(former)), [RESTORED_AS]: String(restoredAs) };
  return { ...systemMetadata, properties: { ...properties, ...marks } };
}

/** Returns the version that a restored version copies; for any other version its own number. */
function readOrigin({ version, systemMetadata: { properties } }: PastVersion): number {
  if (!isJsonObject(properties) || properties[RESTORED_AS] !== String(version)) return version;
  const origin = Number(properties[RESTORED_VERSION]);
  return Number.isSafeInteger(origin) && origin > 0 && origin < version ? origin : version;
}
