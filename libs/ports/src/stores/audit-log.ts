import type { JsonObject } from '@stratalog/json';

/** `done`; `rejected` for a fault of the request; `failed` for a fault of the catalog or of its servers. */
export const AUDIT_OUTCOMES = ['done', 'rejected', 'failed'] as const;
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

/** A call of an operator or a rejected one, as it is recorded. */
export interface AuditedCall {
  /** Urn of the caller. */
  readonly actor: string;
  /** Id of the token that authenticated the caller, `operator` for that of the operator; absent without one. */
  readonly token?: string;
  /** Method, path and action: `POST /operations rebuildIndices`. */
  readonly call: string;
  /** The parameters of the call, without secrets, and cut where they are large. */
  readonly parameters: JsonObject;
  readonly outcome: AuditOutcome;
  /** Status of the answer. */
  readonly status: number;
  readonly durationMs: number;
  /** Address that the call came from: that of the client where trusted proxies forward it. */
  readonly address: string;
  /** Number of similar calls without a record of their own; absent for none. */
  readonly omitted?: number;
}

export interface AuditRecord extends Omit<AuditedCall, 'address'> {
  /** Counts up within a store. */
  readonly id: number;
  /** Absent in records of versions that did not keep it. */
  readonly address?: string;
  /** Epoch ms, by the clock of the store's server. */
  readonly timeMs: number;
}

export interface AuditQuery {
  readonly actor?: string | undefined;
  readonly call?: string | undefined;
  readonly address?: string | undefined;
  readonly outcome?: AuditOutcome | undefined;
  readonly status?: number | undefined;
  /** Only records of this time or later, and only earlier ones. **Units**: epoch ms. */
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
  /** Only records with lower ids. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/**
 * Records the calls of operators, and rejected calls. Records are never changed.
 *
 * **Errors**: `UnavailableError` from every method.
 */
export interface AuditLog {
  append(call: AuditedCall): Promise<void>;

  /** Lists records, the newest first. */
  list(query: AuditQuery): Promise<readonly AuditRecord[]>;

  /** Deletes records that are older than `ageMs`, and returns their number. */
  purge(ageMs: number): Promise<number>;
}
