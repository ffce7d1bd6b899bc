import { NotFoundError } from '@stratalog/domain';
import { readEntityPages } from '@stratalog/concurrency';
import { findEntityType, type EntityType } from '@stratalog/registry';
import type { ActionPlan } from '../actions/plan-actions';
import { evaluateEntities, evaluateEntity, type EntityTests, type TestReport } from '../evaluate-entity';
import { TEST_RESULTS, parseResults, type StoredResults } from './merge-results';
import { findGone, pushResults, type PushDeps } from './push-results';
import { writeResults, type ResultWrite } from './write-results';

/** The outcome of one entity. */
export interface PushedEntity {
  readonly urn: string;
  readonly reports: readonly TestReport[];
}

interface PushedTogether {
  readonly entities: readonly EntityTests[];
  /** Urns of the tests that are evaluated, whose results alone may go; `undefined`: those of every test. */
  readonly named: readonly string[] | undefined;
  /** True: nothing is written. */
  readonly dryRun?: boolean;
}

interface Pushed {
  readonly pushed: readonly PushedEntity[];
  /** Number of entities that got other results. */
  readonly written: number;
  /** Patches of actions by the urn of their test. */
  readonly patches: ReadonlyMap<string, number>;
}

/** Estimated characters of one write, which is one record of the log, and of one result. */
const MAX_WRITE_CHARACTERS = 400_000;
const RESULT_CHARACTERS = 250;

/**
 * Evaluates tests for some entities, and writes the results, with a few reads and writes for all of them. When the results of one
 * changed meanwhile, it evaluates and writes those of each entity of the write alone.
 *
 * **Shape**: the entities that exist and that may have results, with their reports.
 *
 * **Errors**: those of `pushResults`, but for entities that were deleted meanwhile: these are left out.
 */
export async function pushResultsTogether(
  deps: PushDeps,
  { entities, named, dryRun = false }: PushedTogether,
): Promise<Pushed> {
  const tested = await readTested(deps, entities);
  if (tested.length === 0) return { pushed: [], written: 0, patches: new Map() };
  const reports = await evaluateEntities(deps, tested);
  const evaluated = tested.map((entity, index) => ({ ...entity, reports: reports[index] ?? [] }));
  const gone = await findGone(deps, evaluated, named);
  const results: Pushed[] = [];
  for (const portion of divide(evaluated)) {
    results.push(await writePortion(deps, portion, { gone, named, dryRun }));
  }
  return joinPushed(results);
}

async function writePortion(
  deps: PushDeps,
  portion: readonly EvaluatedEntity[],
  { gone, named, dryRun = false }: Pick<ResultWrite, 'gone'> & Pick<PushedTogether, 'named' | 'dryRun'>,
): Promise<Pushed> {
  const outcome = await writeResults(
    deps,
    portion.map((entity): ResultWrite => ({ ...entity, gone })),
    { dryRun },
  );
  if (outcome.kind === 'rejected') return pushEach(deps, portion, named);
  return { pushed: portion, written: outcome.entities, patches: countPatches([...outcome.plans.values()]) };
}

/** Joins what was pushed in several writes. */
export function joinPushed(results: readonly Pushed[]): Pushed {
  const patches = new Map<string, number>();
  for (const [test, count] of results.flatMap((result) => [...result.patches]))
    patches.set(test, (patches.get(test) ?? 0) + count);
  return {
    pushed: results.flatMap(({ pushed }) => pushed),
    written: results.reduce((sum, { written }) => sum + written, 0),
    patches,
  };
}

function countPatches(plans: readonly ActionPlan[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { test, rejection } of plans.flatMap(({ patches }) => patches)) {
    if (rejection === undefined) counts.set(test, (counts.get(test) ?? 0) + 1);
  }
  return counts;
}

/** Divides entities into portions of one write each. */
function divide(entities: readonly EvaluatedEntity[]): readonly (readonly EvaluatedEntity[])[] {
  const portions: EvaluatedEntity[][] = [];
  let left = 0;
  for (const entity of entities) {
    const size = entity.reports.length * RESULT_CHARACTERS + entity.stored.characters;
    left -= size;
    if (left < 0 || portions.length === 0) {
      portions.push([]);
      left = MAX_WRITE_CHARACTERS - size;
    }
    portions.at(-1)?.push(entity);
  }
  return portions;
}

interface TestedEntity extends EntityTests {
  readonly entityType: EntityType;
  readonly stored: StoredResults;
}

interface EvaluatedEntity extends TestedEntity {
  readonly reports: readonly TestReport[];
}

/** Reads the stored results. Entities that are deleted, and those of types without results, are left out. */
async function readTested(
  { store, registry }: PushDeps,
  entities: readonly EntityTests[],
): Promise<readonly TestedEntity[]> {
  const testsByUrn = new Map(entities.map(({ urn, tests }) => [urn, tests]));
  const tested: TestedEntity[] = [];
  const urns = [...testsByUrn.keys()];
  const keys = urns.flatMap((urn) => findEntityType(registry, urn)?.keyAspect.name ?? []);
  const aspectNames = [TEST_RESULTS, ...new Set(keys)];
  for await (const page of readEntityPages(store, urns, { aspectNames })) {
    for (const entity of page.entities) {
      const { urn, deleted } = entity;
      const entityType = findEntityType(registry, urn);
      if (deleted || entityType?.aspects.has(TEST_RESULTS) !== true) continue;
      const stored = parseResults(entityType, entity);
      tested.push({ urn, entityType, tests: testsByUrn.get(urn) ?? [], stored });
    }
  }
  return tested;
}

async function pushEach(
  deps: PushDeps,
  entities: readonly TestedEntity[],
  named: readonly string[] | undefined,
): Promise<Pushed> {
  const results: Pushed[] = [];
  for (const { urn, entityType, tests } of entities) {
    const evaluate = async (): Promise<PushedEntity> => ({
      urn,
      reports: await evaluateEntity(deps, { urn, tests }),
    });
    try {
      const { evaluated, plan, position } = await pushResults(deps, { urn, entityType, named, evaluate });
      const written = position === undefined ? 0 : 1;
      results.push({ pushed: [evaluated], written, patches: countPatches([plan]) });
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
    }
  }
  return joinPushed(results);
}
