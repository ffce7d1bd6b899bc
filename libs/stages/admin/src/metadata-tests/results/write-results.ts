import { FaultError, NO_RUN_ID, whileAlive, type Position, type Proposal } from '@stratalog/domain';
import { stringifyJson } from '@stratalog/json';
import { inParallel } from '@stratalog/concurrency';
import type { ProposalSubmitter, SubmitOutcome } from '@stratalog/ports';
import type { EntityType } from '@stratalog/registry';
import { systemActor } from '../../system-actor';
import type { TestReport } from '../evaluate-entity';
import { TEST_RESULTS, mergeResults, type Results, type StoredResults } from './merge-results';
import { planActions, type ActionDeps, type ActionPlan } from '../actions/plan-actions';
import type { StoredTest } from '../test-library';
import { describeStopped, toActionProposals } from '../actions/to-action-proposals';

export interface WriteResultsDeps extends ActionDeps {
  readonly submitter: ProposalSubmitter;
}

/** Entities for which actions are planned at once: each waits for a few reads. */
const PLANS_AT_ONCE = 4;

/** The results of one entity, to be written over those that were read before the evaluation. */
export interface ResultWrite {
  readonly urn: string;
  readonly entityType: EntityType;
  /** The results that were read before the evaluation. */
  readonly stored: StoredResults;
  readonly reports: readonly TestReport[];
  /** Tests that are no more, whose results go. */
  readonly gone: ReadonlySet<string>;
}

export type ResultsOutcome =
  | {
      readonly kind: 'written';
      /** Absent when every entity had these results already. */
      readonly position: Position | undefined;
      /** Number of entities that have other results now. */
      readonly entities: number;
      /** The writes of actions, by the urn of the entity; absent for entities without any. */
      readonly plans: ReadonlyMap<string, ActionPlan>;
    }
  /**
   * Nothing is written: an aspect of an entity changed since it was read, or the entity was deleted, or the writer does not take a value. `expected` has the
   * versions that were expected; when they are the same in a repetition, the value is the reason.
   */
  | { readonly kind: 'rejected'; readonly reason: string; readonly expected: string };

/**
 * Writes results of tests to their entities, all or none, as proposals of the system's user. This is the only place that does.
 * A proposal is applied only over the results that were read before the evaluation, so it never replaces those of a later one, and only
 * while the entity is alive since then, so it never brings a deleted one back.
 *
 * Patches of actions are applied together with the results that call for them, or not at all: each new outcome is acted on once,
 * whatever fails meanwhile. A dry run plans the same, and writes nothing.
 *
 * **Order and repeats**: a repetition finds the results written, and writes nothing.
 *
 * **Errors**: `FaultError` when the writer fails. `UnavailableError` when it does not answer in time.
 */
export async function writeResults(
  deps: WriteResultsDeps,
  writes: readonly ResultWrite[],
  { dryRun = false }: { readonly dryRun?: boolean } = {},
): Promise<ResultsOutcome> {
  let acting: Promise<readonly StoredTest[]> | undefined;
  const readActing = (): Promise<readonly StoredTest[]> => (acting ??= deps.testLibrary.readActing());
  const changed = writes.flatMap((write) => {
    const results = mergeWrite(deps, write);
    return results === undefined ? [] : [{ write, results }];
  });
  const planned = await inParallel(changed, PLANS_AT_ONCE, async ({ write, results }) => {
    const plan = await planActions(deps, { ...write, readActing });
    return { write, results, plan };
  });
  const plans = new Map(planned.map(({ write, plan }) => [write.urn, plan]));
  const proposals = planned.flatMap(({ write, results, plan }) => [
    toProposal(deps, write, { results, plan }),
    ...toActionProposals(deps, write, plan),
  ]);
  const [first, ...others] = proposals;
  if (first === undefined || dryRun)
    return { kind: 'written', position: undefined, entities: plans.size, plans };
  const entry = others.length === 0 ? first : { proposals: [first, ...others] as const };
  const outcome = await deps.submitter.submitAndWait(entry);
  if (outcome.kind === 'rejected') return { ...outcome, expected: listExpected(proposals) };
  return { kind: 'written', position: requireApplied(outcome), entities: plans.size, plans };
}

function requireApplied(outcome: Exclude<SubmitOutcome, { readonly kind: 'rejected' }>): Position {
  if (outcome.kind === 'applied') return outcome.position;
  throw new FaultError('The results of tests could not be written', { cause: outcome.cause });
}

/** `undefined`: the entity has these results already, or there are none at all. */
function mergeWrite(
  { registry, clock }: WriteResultsDeps,
  { stored, reports, gone }: ResultWrite,
): Results | undefined {
  return mergeResults({
    stored,
    reports,
    gone,
    now: { time: clock.now(), actor: systemActor(registry) },
  });
}

function toProposal(
  { registry, clock }: WriteResultsDeps,
  { urn, entityType, stored }: ResultWrite,
  { results, plan }: { readonly results: Results; readonly plan: ActionPlan },
): Proposal {
  return {
    urn,
    entityType: entityType.name,
    aspectName: TEST_RESULTS,
    changeType: 'UPSERT',
    value: stringifyJson({ ...results }),
    headers: { 'If-Version-Match': String(stored.version), ...whileAlive(stored.keyVersion) },
    systemMetadata: { lastObserved: clock.now(), runId: NO_RUN_ID, ...describeStopped(plan) },
    actor: systemActor(registry),
  };
}

function listExpected(proposals: readonly Proposal[]): string {
  return proposals
    .map(({ urn, aspectName, headers }) => `${urn} ${aspectName} ${Object.values(headers ?? {}).join(' ')}`)
    .join();
}
