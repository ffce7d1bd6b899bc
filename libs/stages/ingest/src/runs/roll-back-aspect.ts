import { InvalidProposalError, isJsonObject, runOf, type JsonObject, type Proposal } from '@stratalog/model';
import type { AspectHistory, PastVersion, RunAspect } from '@stratalog/ports';
import type { Caller } from '../deletion/delete-entity';
import { ingestProposalBatch } from '../proposals/ingest-proposal-batch';
import type { IngestDeps } from '../proposals/ingest-proposal';
import {
  writeIfUnchanged,
  type ConditionalChange,
  type ConditionalOutcome,
} from '../deletion/write-if-unchanged';

export interface RollbackDeps extends IngestDeps {
  readonly history: AspectHistory;
}

/** An aspect whose latest value the run has written. */
export interface RunAspectToRollBack extends Pick<RunAspect, 'urn' | 'aspectName' | 'version'> {
  readonly entityType: string;
  readonly runId: string;
}

export type RollbackOutcome =
  | { readonly kind: 'done' }
  /** It stays as it is. */
  | { readonly kind: 'left'; readonly reason: string };

/** How often an aspect to which the run writes meanwhile is looked at anew. */
const ATTEMPTS = 8;
/** Versions in the first look at a history; most aspects are those that the run began. */
const FIRST_LOOK = 2;
const LONGEST_LOOK = 128;

/**
 * Brings an aspect back to what it was before the run: the last value that others have written, or none. It is proposed under the condition that
 * the run's value is still the latest, so whoever writes meanwhile wins.
 */
export async function rollBackAspect(
  parts: RollbackDeps,
  aspect: RunAspectToRollBack,
  caller: Caller,
): Promise<RollbackOutcome> {
  let { version } = aspect;
  for (let attempt = 1; ; attempt++) {
    const outcome = await proposeRollback(parts, { ...aspect, version }, caller);
    if (outcome.kind === 'written') return { kind: 'done' };
    const left = { kind: 'left' as const, reason: outcome.cause.message };
    const { urn, aspectName, runId } = aspect;
    const latest = (await parts.store.readEntity(urn, [aspectName]))?.aspects[0];
    if (latest === undefined || runOf(latest.systemMetadata) !== runId) return left;
    if (latest.version === version || attempt === ATTEMPTS) return left;
    ({ version } = latest);
  }
}

async function proposeRollback(
  parts: RollbackDeps,
  aspect: RunAspectToRollBack,
  caller: Caller,
): Promise<ConditionalOutcome> {
  const { urn, entityType, aspectName, version, runId } = aspect;
  const change = { urn, entityType, aspectName, version };
  const { former, latestValue } = await formerOf(parts.history, aspect);
  if (former?.value === undefined) {
    return writeIfUnchanged(parts, { ...change, systemMetadata: rolledBack(runId) }, caller);
  }
  const { value } = former;
  const restored = (restoredAs: number): JsonObject => toMetadata(former, restoredAs);
  if (value === latestValue) return writeAnew(parts, { ...change, value }, { caller, restored });
  return writeIfUnchanged(parts, { ...change, value, systemMetadata: restored(version + 1) }, caller);
}

/** What a version, or a deletion, says of itself that takes back what a run has written, and is no version of before. */
export function rolledBack(runId: string): JsonObject {
  return { properties: { rolledBackRun: runId } };
}

/** An equal value would only be noted as seen once more, and stay the run's: so it goes and comes back, in one commit. */
async function writeAnew(
  parts: RollbackDeps,
  { urn, entityType, aspectName, version, value }: ConditionalChange,
  { caller, restored }: { readonly caller: Caller; readonly restored: (restoredAs: number) => JsonObject },
): Promise<ConditionalOutcome> {
  const common = { urn, entityType, aspectName, actor: caller.actor };
  const systemMetadata = restored(version + 2);
  const proposals: readonly Proposal[] = [
    { ...common, changeType: 'DELETE', headers: { 'If-Version-Match': String(version) }, systemMetadata },
    { ...common, changeType: 'UPSERT', ...(value === undefined ? {} : { value }), systemMetadata },
  ];
  try {
    await ingestProposalBatch(parts, proposals, { isAsync: false });
    return { kind: 'written' };
  } catch (error) {
    if (error instanceof InvalidProposalError) return { kind: 'rejected', cause: error };
    throw error;
  }
}

interface Former {
  /** The last version that the run has not written; none when nothing is left of what was before. */
  readonly former?: PastVersion;
  readonly latestValue?: string | undefined;
}

/** Walks back from the latest version. Where a rollback has restored a version, it goes on before that one: what lies between was rolled back. */
async function formerOf(
  history: AspectHistory,
  { urn, aspectName, version, runId }: RunAspectToRollBack,
): Promise<Former> {
  // Nothing was before it, so nothing need be read: of a run that began its entities that is all.
  if (version === 1) return {};
  let latestValue: string | undefined;
  let to = version;
  for (let limit = FIRST_LOOK; to > 0; limit = Math.min(limit * 4, LONGEST_LOOK)) {
    const page = await history.listVersions({ urn, aspectName, from: 1, to, newestFirst: true, limit });
    for (const past of page?.versions ?? []) {
      if (past.version === version) latestValue = past.value;
      if (past.version > to) continue;
      if (past.value === undefined) return { latestValue };
      if (runOf(past.systemMetadata) !== runId) return { former: past, latestValue };
      to = originOf(past) - 1;
    }
    if (page?.hasMore !== true) break;
  }
  return { latestValue };
}

const RESTORED = 'restoredVersion';
const RESTORED_AS = 'restoredAs';

/**
 * A restored version says of its origin what the first one said, and which one it was. It names itself too, because clients copy the
 * properties of what they read into what they write, where they mean nothing.
 */
function toMetadata(former: PastVersion, restoredAs: number): JsonObject {
  const { systemMetadata } = former;
  const properties = isJsonObject(systemMetadata.properties) ? systemMetadata.properties : {};
  const marks = { [RESTORED]: String(originOf(former)), [RESTORED_AS]: String(restoredAs) };
  return { ...systemMetadata, properties: { ...properties, ...marks } };
}

/** The version whose value a restored one has; of any other its own. */
function originOf({ version, systemMetadata: { properties } }: PastVersion): number {
  if (!isJsonObject(properties) || properties[RESTORED_AS] !== String(version)) return version;
  const origin = Number(properties[RESTORED]);
  return Number.isSafeInteger(origin) && origin > 0 && origin < version ? origin : version;
}
