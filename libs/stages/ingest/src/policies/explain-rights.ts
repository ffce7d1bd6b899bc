import { decideAccess, type CallEffect, type Principal, type UnknownNames } from '@stratalog/domain';
import type { JsonOutputObject } from '@stratalog/json';
import { touchEntities } from '@stratalog/http';
import { inSlices } from '@stratalog/concurrency';
import { entityNamed } from '@stratalog/registry';
import { findObstacle, readJudging, type PolicyDeps } from './authorize-writes';

/** The calls by which clients write aspects and delete entities; a token may be limited to some calls. */
const WRITING = 'POST /aspects ingestProposal';
const DELETING = 'POST /entities delete';

export interface RightsRequest {
  readonly urn: string;
  readonly aspectNames?: readonly string[] | undefined;
  /** Takes the names of aspects that the model does not have. */
  readonly unknown: UnknownNames;
}

/**
 * Says which aspects of an entity a caller may write, and whether it may delete the entity: as `authorizeWrites` would decide now.
 *
 * **Shape**: `{urn, actor, aspects: [{aspectName, mayWrite, reason?}], mayDelete, reason?}`, by default of all aspects of the type but its key.
 *
 * **Errors**: `InvalidRequestError` when the urn is malformed or its type unknown; `UnavailableError` when the store does not answer.
 */
export async function explainRights(
  deps: PolicyDeps,
  { urn, aspectNames = [], unknown }: RightsRequest,
  principal: Principal,
): Promise<JsonOutputObject> {
  const { entityType } = entityNamed(deps.registry, urn);
  const known = deps.registry.aspects.map(({ name }) => name);
  for (const name of aspectNames) if (!known.includes(name)) unknown.report('?aspects=', name, known);
  unknown.settle();
  const names = [...entityType.aspects.keys()].filter((name) =>
    aspectNames.length === 0 ? name !== entityType.keyAspect.name : aspectNames.includes(name),
  );
  // The type of a change matters for the key aspect alone, whose deletion is that of the entity.
  const write = (aspectName: string) => ({ urn, aspectName, changeType: 'UPSERT' as const });
  const deletion = { urn, changeType: 'DELETE' as const };
  const judging = await readJudging(deps, principal, [deletion]);
  const decide = (each: ReturnType<typeof write> | typeof deletion, effect: CallEffect, call: string) =>
    findReason(principal, { urn, effect, call }) ??
    (judging === undefined ? undefined : findObstacle(judging, each));
  const effectOfWrites = entityType.name === 'dataHubRetention' ? 'destroys' : 'writes';
  const aspects = await inSlices(
    (function* () {
      const found: JsonOutputObject[] = [];
      for (const aspectName of names) {
        const reason = decide(write(aspectName), effectOfWrites, WRITING);
        found.push({ aspectName, mayWrite: reason === undefined, reason });
        yield;
      }
      return found;
    })(),
  );
  const reason = decide(deletion, 'destroys', DELETING);
  return { urn, actor: principal.actor, aspects, mayDelete: reason === undefined, reason };
}

/** Says what the scopes and limits of a caller lack for a call on an entity. */
function findReason(
  principal: Principal,
  { urn, effect, call }: { readonly urn: string; readonly effect: CallEffect; readonly call: string },
): string | undefined {
  const decision = decideAccess(principal, { effect, call }, touchEntities([urn]));
  return decision.kind === 'rejected' ? decision.reason : undefined;
}
