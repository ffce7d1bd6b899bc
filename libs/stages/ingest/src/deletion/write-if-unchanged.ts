import { InvalidProposalError, NO_RUN_ID, whileAlive, type Position } from '@stratalog/domain';
import type { JsonObject } from '@stratalog/json';
import type { Caller } from '../proposals/create-caller';
import { ingestProposal, type IngestDeps } from '../proposals/ingest-proposal';

/** A change that derives from a value read before. */
export interface ConditionalChange {
  readonly urn: string;
  readonly entityType: string;
  readonly aspectName: string;
  /** Version of the value that was read; -1 when the aspect did not exist. */
  readonly version: number;
  /** Version of the entity's key aspect that was read. An aspect that did not exist needs it: a deleted entity has none either. */
  readonly keyVersion?: number;
  /** Absent: deletes the aspect. */
  readonly value?: string;
  /** Additional system metadata of the write. */
  readonly systemMetadata?: JsonObject;
}

export type ConditionalOutcome =
  | { readonly kind: 'written'; readonly position?: Position }
  /** A concurrent write changed the aspect, or the model rejects the value. */
  | { readonly kind: 'rejected'; readonly cause: InvalidProposalError };

/**
 * Proposes a change that the writer applies only if the aspect is unchanged since it was read. It brings no default aspects, which
 * may be what a rollback removes.
 */
export async function writeIfUnchanged(
  deps: IngestDeps,
  { urn, entityType, aspectName, version, keyVersion, value, systemMetadata }: ConditionalChange,
  { actor, nowMs }: Caller,
): Promise<ConditionalOutcome> {
  const proposal = {
    urn,
    entityType,
    aspectName,
    actor,
    changeType: value === undefined ? ('DELETE' as const) : ('UPDATE' as const),
    ...(value === undefined ? {} : { value }),
    headers: {
      'If-Version-Match': String(version),
      ...(keyVersion === undefined ? {} : whileAlive(keyVersion)),
    },
    systemMetadata: { lastObserved: nowMs, runId: NO_RUN_ID, ...systemMetadata },
  };
  try {
    const position = await ingestProposal(deps, proposal, { isAsync: false });
    return { kind: 'written', ...(position === undefined ? {} : { position }) };
  } catch (error) {
    if (error instanceof InvalidProposalError) return { kind: 'rejected', cause: error };
    throw error;
  }
}
