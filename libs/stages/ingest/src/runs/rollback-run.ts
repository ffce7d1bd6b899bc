import type { JsonOutputObject } from '@stratalog/model';
import type { RollbackProgress, RunAspect, RunAspectsQuery, RunCounts, RunStore } from '@stratalog/ports';
import { requireEntityType } from '@stratalog/registry';
import type { Caller } from '../proposals/create-caller';
import { inParallel } from '../proposals/in-parallel';
import { noteRollback } from './note-rollback';
import { rollBackAspect, type RollbackOutcome, type RollbackDeps } from './roll-back-aspect';
import { HIDDEN, listKeyAspects, pagesOfRun, rejectNoRun, summarize } from './run-queries';
import { deleteCreatedEntity, hideCreatedEntity } from './take-back-entity';
import { UnsafeEntities } from './unsafe-entities';

export interface RunRollbackDeps extends RollbackDeps {
  readonly runs: RunStore;
  /** Called after each page, and at the end. */
  readonly onRollback: (progress: RollbackProgress) => void;
}

export interface RollbackRequest {
  readonly runId: string;
  readonly dryRun: boolean;
  /** True: deletes the entities that the run created; false: soft-deletes them. */
  readonly isHard: boolean;
}

/** Number of aspects that an answer lists. */
const NAMED = 100;
/** Aspects in one read; each takes a few hundred bytes. */
const PAGE = 5_000;
/** Proposals in flight; enough to share commits well. */
const AT_ONCE = 64;

/**
 * Rolls back the values of a run that are still the latest. Each aspect returns to its state before the run; an
 * entity that the run created is soft-deleted or hard-deleted.
 * Each proposal requires that no concurrent write happened. Finished work stays, so a caller may simply repeat an
 * interrupted call. Later writes of the run stay.
 *
 * **Shape**: that of the reference; also `aspectsLeft` and `left` (the first hundred, with reasons) when aspects had
 * to stay.
 *
 * **Errors**: `InvalidRequestError` for `no-run-id-provided`; `UnavailableError` when log or writer did not answer in
 * time.
 *
 * **Source**: `docs/what/run.md`, Rollback; `docs/wire-decisions.md`, Runs.
 */
export async function rollbackRun(
  deps: RunRollbackDeps,
  request: RollbackRequest,
  caller: Caller,
): Promise<JsonOutputObject> {
  const { runId, dryRun, isHard } = request;
  rejectNoRun(runId);
  const { registry, runs } = deps;
  const keyAspects = listKeyAspects(registry);
  const query = { runId, limit: PAGE, ...(isHard ? {} : { exceptSoftDeleted: HIDDEN }) };
  const counts = await runs.countRun(query, keyAspects);
  const scope = { ...query, untilMs: counts.lastMs };
  const first = await runs.listAspects({ ...scope, limit: NAMED });
  const unsafe = await unsafeEntities(runs, { ...scope, names: { only: keyAspects } });
  const rollback = new Rollback(deps, { request, counts, caller });
  if (!dryRun && counts.aspects > 0) await rollback.run(scope, keyAspects);
  const { left } = rollback;
  const reverted = isHard
    ? counts.aspects - left.count
    : counts.aspects - counts.keys - left.count + left.keys;
  return {
    aspectRowSummaries: first
      .filter((aspect) => !left.has(aspect))
      .map((aspect) => summarize(registry, runId, aspect)),
    entitiesAffected: counts.entities,
    aspectsAffected: unsafe.aspects,
    entitiesDeleted: counts.keys - left.keys,
    aspectsReverted: reverted,
    unsafeEntitiesCount: unsafe.count,
    unsafeEntities: unsafe.urns.map((urn) => ({ urn })),
    ...(left.count === 0 ? {} : { aspectsLeft: left.count, left: left.named }),
  };
}

async function unsafeEntities(runs: RunStore, keys: RunAspectsQuery): Promise<UnsafeEntities> {
  const unsafe = new UnsafeEntities();
  const names = keys.names !== undefined && 'only' in keys.names ? keys.names.only : [];
  for await (const page of pagesOfRun(runs, keys)) {
    const urns = page.map(({ urn }) => urn);
    unsafe.add(await runs.countWrittenByOthers(keys.runId, urns, [...names, HIDDEN.aspectName]));
  }
  return unsafe;
}

/** The rollback of one run. */
class Rollback {
  readonly left = new LeftAspects();
  private done = 0;

  constructor(
    private readonly deps: RunRollbackDeps,
    private readonly of: {
      readonly request: RollbackRequest;
      readonly counts: RunCounts;
      readonly caller: Caller;
    },
  ) {}

  /**
   * Deletes entities first, because that removes most aspects. Soft-deletes entities last, because a `status` that
   * the run wrote is rolled back like any other aspect.
   */
  async run(scope: RunAspectsQuery, keyAspects: readonly string[]): Promise<void> {
    const keys = { ...scope, names: { only: keyAspects } };
    const others = { ...scope, names: { but: keyAspects } };
    for (const query of this.of.request.isHard ? [keys, others] : [others, keys]) {
      for await (const page of pagesOfRun(this.deps.runs, query)) {
        await this.rollBackPage(page, query === keys);
      }
    }
    await noteRollback(this.deps, this.of.request.runId, this.of.caller);
    this.report(true);
  }

  private async rollBackPage(page: readonly RunAspect[], isKey: boolean): Promise<void> {
    const outcomes = await inParallel(page, AT_ONCE, (aspect) => this.rollBackOne(aspect, isKey));
    for (const [at, aspect] of page.entries()) {
      const outcome = outcomes[at];
      if (outcome?.kind === 'left') this.left.add(aspect, { isKey, reason: outcome.reason });
    }
    this.done += page.length;
    this.report(false);
  }

  private async rollBackOne(aspect: RunAspect, isKey: boolean): Promise<RollbackOutcome> {
    const { deps } = this;
    const { caller, request } = this.of;
    const { runId, isHard } = request;
    const named = requireEntityType(deps.registry, aspect.urn);
    if ('fault' in named) return { kind: 'left', reason: named.fault };
    const { entityType } = named;
    const ref = { ...aspect, entityType: entityType.name, runId };
    if (!isKey) return rollBackAspect(deps, ref, caller);
    if (isHard) return deleteCreatedEntity(deps, ref, caller);
    return hideCreatedEntity(deps, ref, { entityType, caller });
  }

  private report(isDone: boolean): void {
    const { request, counts } = this.of;
    const looked = this.done;
    const progress = { aspects: counts.aspects, looked, left: this.left.count, isDone };
    this.deps.onRollback({ runId: request.runId, ...progress });
  }
}

/** Aspects that stay unchanged: counts all, lists the first hundred. */
class LeftAspects {
  count = 0;
  keys = 0;
  readonly named: JsonOutputObject[] = [];

  add({ urn, aspectName }: RunAspect, { isKey, reason }: { isKey: boolean; reason: string }): void {
    this.count += 1;
    if (isKey) this.keys += 1;
    if (this.named.length < NAMED) this.named.push({ urn, aspectName, reason });
  }

  has(aspect: RunAspect): boolean {
    return this.named.some(({ urn, aspectName }) => urn === aspect.urn && aspectName === aspect.aspectName);
  }
}
