import { NO_RUN_ID } from '@stratalog/domain';
import type { JsonObject } from '@stratalog/json';
import type {
  RollbackProgress,
  RunAspectsQuery,
  RunCounts,
  RunQuery,
  RunStore,
  TimeseriesStorage,
} from '@stratalog/ports';
import type { EntityRegistry } from '@stratalog/registry';
import type { RollbackDeps } from './roll-back-aspect';
import { SOFT_DELETED, listKeyAspects, pagesOfRun, summarize } from './run-queries';
import { UnsafeEntities } from './unsafe-entities';

export interface RunRollbackDeps extends RollbackDeps {
  readonly runs: RunStore;
  readonly timeseries: TimeseriesStorage;
  /** Called after each page, and at the end. */
  readonly onRollback: (progress: RollbackProgress) => void;
}

/** The aspects and values that a run owns at the time of a rollback. */
export interface RollbackPlan extends Omit<RunCounts, 'kept'> {
  /** Its first aspects. */
  readonly first: {
    readonly urn: string;
    readonly aspectName: string;
    readonly version: number;
    readonly writtenMs: number;
  }[];
  /** Entities that a rollback removes although others wrote to them. */
  readonly unsafe: { readonly count: number; readonly aspects: number; readonly urns: string[] };
}

/** Aspects that stay unchanged: all are counted, the first ones named. */
export interface LeftAspects {
  readonly count: number;
  readonly keys: number;
  readonly named: readonly { readonly urn: string; readonly aspectName: string; readonly reason: string }[];
}

/** Number of aspects that an answer lists. */
const NAMED = 100;
/** Aspects in one read; each takes a few hundred bytes. */
const PAGE = 5_000;

/** Reads what a rollback would take back. */
export async function planRollback(
  { registry, runs }: Pick<RunRollbackDeps, 'registry' | 'runs'>,
  { runId, isHard }: { readonly runId: string; readonly isHard: boolean },
): Promise<RollbackPlan> {
  const keyAspects = listKeyAspects(registry);
  const query = toRunQuery(runId, isHard, keyAspects);
  const { aspects: owned, keys, entities, lastMs } = await runs.countRun(query, keyAspects);
  const scope = { ...query, untilMs: lastMs, kept: false };
  const first = await runs.listAspects({ ...scope, limit: NAMED });
  const { count, aspects, urns } = await unsafeEntities(runs, {
    ...scope,
    names: { only: keyAspects },
    limit: PAGE,
  });
  return {
    aspects: owned,
    keys,
    entities,
    lastMs,
    first: first.map(({ urn, aspectName, version, writtenMs }) => ({ urn, aspectName, version, writtenMs })),
    unsafe: { count, aspects, urns },
  };
}

/** Reads what a rollback would leave, because another run has confirmed it since. */
export async function planLeft(
  { registry, runs }: Pick<RunRollbackDeps, 'registry' | 'runs'>,
  { runId, isHard }: { readonly runId: string; readonly isHard: boolean },
): Promise<LeftAspects> {
  const keyAspects = listKeyAspects(registry);
  const query = toRunQuery(runId, isHard, keyAspects);
  const { kept } = await runs.countRun(query, keyAspects);
  const named = await runs.listAspects({ ...query, kept: true, limit: NAMED });
  return {
    count: kept.aspects,
    keys: kept.keys,
    named: named.map(({ urn, aspectName, confirmedBy = '' }) => ({
      urn,
      aspectName,
      reason: explainConfirmed(confirmedBy),
    })),
  };
}

/** Says why a rollback leaves an aspect that another run has confirmed. */
export function explainConfirmed(runId: string): string {
  const who = runId === NO_RUN_ID ? 'A write without a run' : `The run ${runId}`;
  return `${who} has confirmed this value since; a new value or a deletion replaces it`;
}

/** A hard deletion takes all aspects of an entity along; a soft one has no effect on what is soft-deleted. */
function toRunQuery(runId: string, isHard: boolean, keyAspects: readonly string[]): RunQuery {
  return { runId, ...(isHard ? { unlessBelow: keyAspects } : { exceptSoftDeleted: SOFT_DELETED }) };
}

async function unsafeEntities(runs: RunStore, keys: RunAspectsQuery): Promise<UnsafeEntities> {
  const unsafe = new UnsafeEntities();
  const names = keys.names !== undefined && 'only' in keys.names ? keys.names.only : [];
  for await (const page of pagesOfRun(runs, keys)) {
    const urns = page.map(({ urn }) => urn);
    unsafe.add(await runs.countWrittenByOthers(keys.runId, urns, [...names, SOFT_DELETED.aspectName]));
  }
  return unsafe;
}

/** Formats a rollback, done or planned, in the shape of the reference. */
export function formatRollback(
  registry: EntityRegistry,
  { runId, isHard }: { readonly runId: string; readonly isHard: boolean },
  {
    plan,
    left,
    timeseriesRows,
  }: { readonly plan: RollbackPlan; readonly left: LeftAspects; readonly timeseriesRows: number },
): JsonObject {
  const reverted = isHard ? plan.aspects - left.count : plan.aspects - plan.keys - left.count + left.keys;
  const isLeft = ({ urn, aspectName }: RollbackPlan['first'][number]): boolean =>
    left.named.some((each) => each.urn === urn && each.aspectName === aspectName);
  return {
    aspectRowSummaries: plan.first
      .filter((aspect) => !isLeft(aspect))
      .map((aspect) => summarize(registry, runId, aspect)),
    entitiesAffected: plan.entities,
    aspectsAffected: plan.unsafe.aspects,
    entitiesDeleted: plan.keys - left.keys,
    aspectsReverted: reverted,
    unsafeEntitiesCount: plan.unsafe.count,
    unsafeEntities: plan.unsafe.urns.map((urn) => ({ urn })),
    ...(timeseriesRows === 0 ? {} : { timeseriesRows }),
    ...(left.count === 0 ? {} : { aspectsLeft: left.count, left: left.named.map((each) => ({ ...each })) }),
  };
}
