import { InvalidProposalError, NO_RUN_ID, type JsonObject, type Position } from '@stratalog/model';
import type { Caller } from './delete-entity';
import { ingestProposal, type IngestDeps } from '../proposals/ingest-proposal';

/** A change that was made out of what somebody has read. */
export interface ConditionalChange {
  readonly urn: string;
  readonly entityType: string;
  readonly aspectName: string;
  /** Of the value that was read; -1 when there was none. */
  readonly version: number;
  /** Absent: the aspect is taken away. */
  readonly value?: string;
  /** What it says of its origin beside the usual. */
  readonly systemMetadata?: JsonObject;
}

export type ConditionalOutcome =
  | { readonly kind: 'written'; readonly position?: Position }
  /** Somebody has changed the aspect meanwhile, or the model rejects. */
  | { readonly kind: 'rejected'; readonly cause: InvalidProposalError };

/** Proposes a change that counts only if the aspect is still what was read. */
export async function writeIfUnchanged(
  parts: IngestDeps,
  { urn, entityType, aspectName, version, value, systemMetadata }: ConditionalChange,
  { actor, nowMs }: Caller,
): Promise<ConditionalOutcome> {
  const proposal = {
    urn,
    entityType,
    aspectName,
    actor,
    changeType: value === undefined ? ('DELETE' as const) : ('UPSERT' as const),
    ...(value === undefined ? {} : { value }),
    headers: { 'If-Version-Match': String(version) },
    systemMetadata: { lastObserved: nowMs, runId: NO_RUN_ID, ...systemMetadata },
  };
  try {
    const position = await ingestProposal(parts, proposal, { isAsync: false });
    return { kind: 'written', ...(position === undefined ? {} : { position }) };
  } catch (error) {
    if (error instanceof InvalidProposalError) return { kind: 'rejected', cause: error };
    throw error;
  }
}
