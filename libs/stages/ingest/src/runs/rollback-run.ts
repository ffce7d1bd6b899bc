import type { JsonOutputObject } from '@stratalog/model';
import type { RollbackProgress, RunAspect, RunAspectsQuery, RunCounts, RunStore } from '@stratalog/ports';
import { requireEntityType } from '@stratalog/registry';
import type { Caller } from '../deletion/delete-entity';
import { inParallel } from '../proposals/in-parallel';
import { noteRollback } from './note-rollback';
import { rollBackAspect, type RollbackOutcome, type RollbackDeps } from './roll-back-aspect';
import { HIDDEN, keyAspectsOf, pagesOfRun, rejectNoRun, summarize } from './run-queries';
import { deleteBegunEntity, hideBegunEntity } from './take-back-entity';
import { UnsafeEntities } from './unsafe-entities';

export interface RunRollbackDeps extends RollbackDeps {
  readonly runs: RunStore;
  /** Told now and then, and at the end. */
  readonly onRollback: (progress: RollbackProgress) => void;
}

export interface RollbackRequest {
  readonly runId: string;
  readonly dryRun: boolean;
  /** Entities that the run began are deleted; else they are hidden. */
  readonly isHard: boolean;
}

/** How many aspects an answer names. */
const NAMED = 100;
/** Aspects in one read: some hundred bytes each. */
const PAGE = 5_000;
/** As many as share a commit well. */
const AT_ONCE = 64;

/**
 * Takes back what a run has written, as far as it is still the latest: an aspect becomes what it was before the run, an entity that the run began is
 * hidden or deleted. Each is a proposal that counts only if nobody has written meanwhile. What was done stays done, so a call that did not
 * come to its end is simply repeated. What the run writes after the call has come is not touched.
 *
 * **Shape**: that of the reference; beside it `aspectsLeft` and `left`, the first hundred, with reasons, where aspects had to stay.
 *
 * **Errors**: `InvalidRequestError` for the id that stands for no run; `UnavailableError` when log or writer did not answer in time.
 *
 * **Source**: entity and aspect behaviour, sections 5.2 and 11.2.
 */
export async function rollbackRun(
  parts: RunRollbackDeps,
  request: RollbackRequest,
  caller: Caller,
): Promise<JsonOutputObject> {
  const { runId, dryRun, isHard } = request;
  rejectNoRun(runId);
  const { registry, runs } = parts;
  const keyAspects = keyAspectsOf(registry);
  const question = { runId, limit: PAGE, ...(isHard ? {} : { exceptSoftDeleted: HIDDEN }) };
  const counts = await runs.countRun(question, keyAspects);
  const scope = { ...question, untilMs: counts.lastMs };
  const first = await runs.listAspects({ ...scope, limit: NAMED });
  const unsafe = await unsafeEntities(runs, { ...scope, names: { only: keyAspects } });
  const rollback = new Rollback(parts, { request, counts, caller });
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

/** One run being rolled back. */
class Rollback {
  readonly left = new LeftAspects();
  private looked = 0;

  constructor(
    private readonly parts: RunRollbackDeps,
    private readonly of: {
      readonly request: RollbackRequest;
      readonly counts: RunCounts;
      readonly caller: Caller;
    },
  ) {}

  /**
   * Entities that are deleted go first, and take most aspects with them. Entities that are hidden go last, because a status that the run has
   * written is rolled back like any other aspect.
   */
  async run(scope: RunAspectsQuery, keyAspects: readonly string[]): Promise<void> {
    const keys = { ...scope, names: { only: keyAspects } };
    const others = { ...scope, names: { but: keyAspects } };
    for (const question of this.of.request.isHard ? [keys, others] : [others, keys]) {
      for await (const page of pagesOfRun(this.parts.runs, question)) {
        await this.takeBack(page, question === keys);
      }
    }
    await noteRollback(this.parts, this.of.request.runId, this.of.caller);
    this.tell(true);
  }

  private async takeBack(page: readonly RunAspect[], isKey: boolean): Promise<void> {
    const outcomes = await inParallel(page, AT_ONCE, (aspect) => this.outcomeFor(aspect, isKey));
    for (const [at, aspect] of page.entries()) {
      const outcome = outcomes[at];
      if (outcome?.kind === 'left') this.left.add(aspect, { isKey, reason: outcome.reason });
    }
    this.looked += page.length;
    this.tell(false);
  }

  private async outcomeFor(aspect: RunAspect, isKey: boolean): Promise<RollbackOutcome> {
    const { parts } = this;
    const { caller, request } = this.of;
    const { runId, isHard } = request;
    const named = requireEntityType(parts.registry, aspect.urn);
    if ('fault' in named) return { kind: 'left', reason: named.fault };
    const { entityType } = named;
    const ref = { ...aspect, entityType: entityType.name, runId };
    if (!isKey) return rollBackAspect(parts, ref, caller);
    if (isHard) return deleteBegunEntity(parts, ref, caller);
    return hideBegunEntity(parts, ref, { entityType, caller });
  }

  private tell(isDone: boolean): void {
    const { request, counts } = this.of;
    const { looked } = this;
    const progress = { aspects: counts.aspects, looked, left: this.left.count, isDone };
    this.parts.onRollback({ runId: request.runId, ...progress });
  }
}

/** Aspects that stay as they are: all are counted, the first are named. */
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
