/**
 * Rights that a token gives. None includes another: a token that reads and writes has both `read` and `write`. An `admin` makes tokens, so
 * it can give itself every other scope.
 */
export const SCOPES = ['read', 'write', 'operate', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/**
 * The effect of a call. `destroys` deletes many values at once: hard deletes, rollbacks, retention. `operates` is an administrative
 * operation of the contract. `administers` concerns tokens and audit records.
 */
export const CALL_EFFECTS = ['reads', 'writes', 'destroys', 'operates', 'administers'] as const;
export type CallEffect = (typeof CALL_EFFECTS)[number];

/** The scope that a call with an effect needs. */
export const NEEDED_SCOPE: Readonly<Record<CallEffect, Scope>> = {
  reads: 'read',
  writes: 'write',
  destroys: 'operate',
  operates: 'operate',
  administers: 'admin',
};

/** Limits the scopes of a principal. An absent member sets no limit. */
export interface AccessLimits {
  /** Names of entity types: `dataset`. */
  readonly entityTypes?: readonly string[];
  /** Names of platforms as urns have them: `kafka`. */
  readonly platforms?: readonly string[];
  /** Calls by method, path and action, as audit records name them: `POST /entities search`. */
  readonly calls?: readonly string[];
}

/** The party that makes a call. Each request has exactly one. */
export interface Principal {
  readonly kind: 'anonymous' | 'operator' | 'token' | 'jwt' | 'user';
  /** Identifies the credential in audit records, rates and messages. It is not secret; absent for callers without a credential. */
  readonly id?: string;
  /** For people: the name of the token, the subject of a JWT, or the user that a trusted proxy names. */
  readonly name: string;
  /** Urn of the user on whose behalf the principal acts; audit stamps show it. */
  readonly actor: string;
  readonly scopes: ReadonlySet<Scope>;
  readonly limits: AccessLimits;
  /** True when the header `X-DataHub-Actor` may name another user as the actor. */
  readonly speaksForOthers: boolean;
  /** True: the actor is one that the header named, not the principal's own. */
  readonly actsForAnother?: boolean;
  /** Effects that the catalog permits to every caller, whatever its scopes and limits. */
  readonly open: ReadonlySet<CallEffect>;
  /** Whether stored policies decide about writes in the catalog; `off` by default. */
  readonly policies?: 'off' | 'on';
}
