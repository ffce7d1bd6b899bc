import { NO_RUN_ID, whileAlive, type Proposal, type StoredAspect } from '@stratalog/domain';
import { isJsonObject, parseJson, stringifyJson, type JsonObject } from '@stratalog/json';
import { inParallel } from '@stratalog/concurrency';
import type { AspectStore, Clock, GraphIndex, GraphIndexVersions, ProposalSubmitter } from '@stratalog/ports';
import { POPULARITY_ASPECT, toRankingMultiplier } from '@stratalog/projection';
import {
  findEntityType,
  listRelationshipNames,
  type EntityRegistry,
  type EntityType,
} from '@stratalog/registry';
import { defineTaskKind, type TaskKind, type TaskStanding, type TaskStep } from '@stratalog/tasks';
import * as z from 'zod';
import { readKeyVersion } from '../read-key-version';

export interface PopularityDeps {
  readonly registry: EntityRegistry;
  readonly store: AspectStore;
  readonly graphIndexes: GraphIndexVersions;
  readonly submitter: ProposalSubmitter;
  readonly clock: Clock;
}

export const MEASURE_POPULARITY = 'measure-popularity';

const CHECKPOINT = z.object({
  /** The last urn that was measured. */
  after: z.string().nullable(),
});
type Checkpoint = z.infer<typeof CHECKPOINT>;

/** Entities of one step, and how many of them are measured at once. */
const PAGE = 100;
const AT_ONCE = 4;
/** Pause between two steps, in which others have the store for themselves. */
const PAUSE_MS = 20;
const GRAPH_POLL_MS = 500;
const DAYS_MS = 30 * 86_400_000;
/** Most values of usage statistics that are read of an entity: one a day, and some more. */
const MAX_VALUES = 100;
const USERS = 'uniqueUserCount';
/** The input of the weight of a document. */
const MEASURES = [
  'combinedSearchRankingMultiplier',
  'queryCountPercentileLast30Days',
  'uniqueUserPercentileLast30Days',
  'queryCountLast30Days',
] as const;

interface MeasureDeps extends PopularityDeps {
  /** Relationships by which an entity counts as referred to. */
  readonly relationships: readonly string[];
}

/** How much an entity is used. */
interface Use {
  readonly urn: string;
  readonly users: number;
  readonly referrers: number;
}

/**
 * Makes the kind of task that measures how much each entity is used: the daily users of the last 30 days, and the
 * entities that refer to it. It writes what has changed noticeably to the aspect `usageFeatures`, which weighs the search
 * document.
 *
 * An aspect in which somebody else has written a multiplier, percentiles or queries stays as it is.
 *
 * **Order and repeats**: a repeated step finds nothing left to write.
 */
export function popularityTask(deps: PopularityDeps): TaskKind<Record<string, never>> {
  const relationships = listRelationshipNames(deps.registry);
  return defineTaskKind({
    name: MEASURE_POPULARITY,
    isOwn: true,
    parameters: z.object({}).strict(),
    checkpoint: CHECKPOINT,
    start: () => Promise.resolve({ checkpoint: { after: null }, progress: { done: 0 } }),
    step: { alone: ({ actor }, at) => step({ ...deps, relationships }, { actor, ...at }) },
  });
}

async function step(
  deps: MeasureDeps,
  { actor, checkpoint, progress }: TaskStanding<Checkpoint> & { readonly actor: string },
): Promise<TaskStep<Checkpoint>> {
  const { store, graphIndexes } = deps;
  const graph = await graphIndexes.live();
  if (graph === undefined) return { kind: 'wait', pauseMs: GRAPH_POLL_MS };
  const urns = await store.urnsAfter(checkpoint.after ?? undefined, PAGE);
  const last = urns.at(-1);
  if (last === undefined) return { kind: 'completed', outcome: { measured: progress.done } };
  const measured = urns.flatMap((urn) => {
    const type = findEntityType(deps.registry, urn);
    return type?.aspects.has(POPULARITY_ASPECT) === true ? [{ urn, type }] : [];
  });
  await inParallel(measured, AT_ONCE, ({ urn, type }) => measure(deps, graph, { urn, type, actor }));
  return {
    kind: 'next',
    checkpoint: { after: last },
    progress: { done: progress.done + measured.length },
    pauseMs: PAUSE_MS,
  };
}

async function measure(
  deps: MeasureDeps,
  graph: GraphIndex,
  { urn, type, actor }: { readonly urn: string; readonly type: EntityType; readonly actor: string },
): Promise<void> {
  const entity = await deps.store.readEntity(urn, [POPULARITY_ASPECT, type.keyAspect.name]);
  if (entity === undefined || entity.deleted) return;
  const stored = entity.aspects.find(({ name }) => name === POPULARITY_ASPECT);
  if (isOthers(stored, actor)) return;
  const use = {
    urn,
    users: await countUsers(deps, urn, type),
    referrers: await countReferrers(deps, graph, urn),
  };
  if (toRankingMultiplier(use) === (readMultiplier(stored) ?? 1)) return;
  await deps.submitter.submitAndWait(
    toProposal(deps, type, { ...use, stored, actor, keyVersion: readKeyVersion(type, entity) }),
  );
}

async function countUsers({ store, clock }: PopularityDeps, urn: string, type: EntityType): Promise<number> {
  let users = 0;
  for (const { name, kind, record } of type.aspects.values()) {
    if (kind !== 'timeseries' || !record.fields.some((field) => field.name === USERS)) continue;
    const page = await store.readTimeseries({
      urn,
      aspectName: name,
      within: { startMs: clock.now() - DAYS_MS },
      latestFirst: true,
      limit: MAX_VALUES,
    });
    for (const { value } of page.timeseriesValues) {
      const parsed = parseJson(value);
      users += isJsonObject(parsed) ? Number(parsed[USERS] ?? 0) : 0;
    }
  }
  return users;
}

async function countReferrers(
  { relationships }: MeasureDeps,
  graph: GraphIndex,
  urn: string,
): Promise<number> {
  const { total } = await graph.related({ urn, direction: 'INCOMING', relationships, start: 0, count: 0 });
  return total;
}

function isOthers(stored: StoredAspect | undefined, actor: string): boolean {
  if (stored === undefined || stored.created.actor === actor) return false;
  const features = readFeatures(stored);
  return MEASURES.some((name) => features[name] !== undefined);
}

function readMultiplier(stored: StoredAspect | undefined): number | undefined {
  const multiplier = readFeatures(stored).combinedSearchRankingMultiplier;
  return multiplier === undefined ? undefined : Number(multiplier);
}

function readFeatures(stored: StoredAspect | undefined): JsonObject {
  const value = stored === undefined ? undefined : parseJson(stored.value);
  return isJsonObject(value) ? value : {};
}

/**
 * Keeps the other fields of the aspect. A value that has changed since it was read stays until the next measurement, and a deleted entity
 * stays deleted.
 */
function toProposal(
  { clock }: PopularityDeps,
  type: EntityType,
  {
    stored,
    keyVersion,
    actor,
    ...use
  }: Use & {
    readonly stored: StoredAspect | undefined;
    readonly keyVersion: number;
    readonly actor: string;
  },
): Proposal {
  const value = {
    ...readFeatures(stored),
    combinedSearchRankingMultiplier: toRankingMultiplier(use),
    uniqueUserCountLast30Days: use.users,
  };
  return {
    entityType: type.name,
    urn: use.urn,
    aspectName: POPULARITY_ASPECT,
    changeType: 'UPSERT',
    value: stringifyJson(value),
    systemMetadata: { lastObserved: clock.now(), runId: NO_RUN_ID },
    headers: { 'If-Version-Match': String(stored?.version ?? -1), ...whileAlive(keyVersion) },
    actor,
  };
}
