import { TEST_INFO, type ReadBehind } from '@stratalog/metadata-tests';
import type { ChangeKey } from '@stratalog/domain';
import { findEntityType, type EntityRegistry } from '@stratalog/registry';
import type { EntityTests } from '../evaluate-entity';
import { TEST_RESULTS } from '../results/merge-results';
import type { StoredTest } from '../test-library';

/** The aspects of an entity that changed. */
export interface ChangedEntity {
  readonly urn: string;
  readonly aspectNames: readonly string[];
}

/** The evaluations that a batch of changes makes necessary. */
export interface NeededEvaluations {
  /** Changed entities, with the tests whose outcome may be another now. */
  readonly entities: readonly EntityTests[];
  /** Tests whose definitions changed. */
  readonly definitions: readonly string[];
  /** Changed entities whose aspects some tests read behind references. */
  readonly referenced: readonly ChangedEntity[];
}

/**
 * Decides what is evaluated again after changes: the tests that read a changed aspect of the entity. The key aspect changes when an
 * entity is created, and when timeseries values are deleted, so it concerns every test. Results themselves concern none.
 */
export function decideEvaluations(
  registry: EntityRegistry,
  tests: readonly StoredTest[],
  changes: readonly ChangeKey[],
): NeededEvaluations {
  const changed = groupChanges(changes);
  const behind = new Set(tests.flatMap((test) => listBehind(test).map(({ aspectName }) => aspectName)));
  return {
    entities: changed.flatMap(({ urn, aspectNames }) => {
      const affected = tests.filter((test) => isAffected(registry, test, { urn, aspectNames }));
      return affected.length === 0 ? [] : [{ urn, tests: affected }];
    }),
    definitions: changed
      .filter(({ aspectNames }) => aspectNames.includes(TEST_INFO))
      .map(({ urn }) => urn)
      .sort(),
    referenced: changed.flatMap(({ urn, aspectNames }) => {
      const read = aspectNames.filter((name) => behind.has(name));
      return read.length === 0 ? [] : [{ urn, aspectNames: read }];
    }),
  };
}

/** Lists what a test reads behind references. */
export function listBehind({ definition }: StoredTest): readonly ReadBehind[] {
  return definition.kind === 'test' ? definition.test.reads.behind : [];
}

function groupChanges(changes: readonly ChangeKey[]): readonly ChangedEntity[] {
  const byUrn = new Map<string, Set<string>>();
  for (const { urn, aspectName } of changes) {
    if (aspectName === TEST_RESULTS) continue;
    const names = byUrn.get(urn) ?? new Set();
    byUrn.set(urn, names.add(aspectName));
  }
  return [...byUrn].map(([urn, names]) => ({ urn, aspectNames: [...names] }));
}

function isAffected(
  registry: EntityRegistry,
  { definition }: StoredTest,
  { urn, aspectNames }: ChangedEntity,
): boolean {
  const type = findEntityType(registry, urn);
  if (definition.kind !== 'test' || type === undefined || !definition.test.types.has(type.name)) return false;
  const { own } = definition.test.reads;
  return aspectNames.some((name) => own.has(name) || name === type.keyAspect.name);
}
