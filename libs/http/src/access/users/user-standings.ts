import { ForbiddenError, type Principal, type StoredEntity } from '@stratalog/domain';
import { isJsonObject, parseJson } from '@stratalog/json';
import { Cached } from '@stratalog/concurrency';
import type { AspectStore } from '@stratalog/ports';
import { LRUCache } from 'lru-cache';
import { boundLookup } from '../bound-lookup';

/** A standing counts for so long after it was read: a suspension takes effect, and ends, within this time. */
const TRUST_MS = 5_000;
const MAX_CACHED = 10_000;
const SUSPENSION = 'corpUserStatus';
const SOFT_DELETION = 'status';

/** Reads users who make calls. */
export type UserStore = Pick<AspectStore, 'readEntity'>;

/** Why a user may not call, as the end of a sentence; `undefined` for one who may. */
type Fault = string | undefined;

/**
 * Rejects the calls of users who are suspended or deleted, however they prove who they are. A user without an entity may call: most
 * tokens and identity providers name users that were never ingested.
 *
 * **Source**: `docs/wire-decisions.md`, Errors.
 */
export class UserStandings {
  /** By the urn of the user. */
  private readonly cached = new LRUCache<string, Cached<Fault>>({
    max: MAX_CACHED,
    memoMethod: (actor) => this.readStanding(actor),
  });

  constructor(
    private readonly store: UserStore,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /**
   * Checks the caller, and the user on whose behalf it acts. The operator of the catalog is no user, so no write can lock it out.
   *
   * **Errors**: `ForbiddenError` that names the user; those of the store.
   */
  async require(caller: Principal, acting: Principal): Promise<void> {
    const isUser = caller.kind !== 'operator' && caller.kind !== 'anonymous';
    const actors = [
      ...(isUser ? [caller.actor] : []),
      ...(acting.actsForAnother === true ? [acting.actor] : []),
    ];
    for (const actor of actors) {
      const fault = await this.cached.memo(actor).current();
      if (fault !== undefined) throw new ForbiddenError(`User ${actor} ${fault}`);
    }
  }

  private readStanding(actor: string): Cached<Fault> {
    const read = (): Promise<Fault> =>
      boundLookup(async () => findFault(await this.store.readEntity(actor, [SUSPENSION, SOFT_DELETION])));
    return new Cached(read, TRUST_MS, this.nowMs);
  }
}

function findFault(user: StoredEntity | undefined): Fault {
  if (user === undefined) return undefined;
  if (user.deleted || readMember(user, SOFT_DELETION, 'removed') === true) return 'is deleted';
  return readMember(user, SUSPENSION, 'status') === 'SUSPENDED' ? 'is suspended' : undefined;
}

function readMember({ aspects }: StoredEntity, aspectName: string, member: string): unknown {
  const aspect = aspects.find(({ name }) => name === aspectName);
  const value = aspect === undefined ? undefined : parseJson(aspect.value);
  return isJsonObject(value) ? value[member] : undefined;
}
