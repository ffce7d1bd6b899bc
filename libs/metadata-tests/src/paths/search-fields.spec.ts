import { expect, it } from '@jest/globals';
import type { AspectType, EntityRegistry, EntityType } from '@stratalog/registry';
import { loadShippedModel } from '../testing/shipped-model';
import { resolvePath } from './resolve-path';

const registry = await loadShippedModel();

type Place = AspectType['searchFields'][number];

/** The paths that a place may have: the language follows lists without a name, and the values of maps by `*`. */
function listPaths({ name }: AspectType, { steps }: Place): readonly string[] {
  let paths = [name];
  for (const step of steps) {
    const escaped = step.name.replace(/[\\.]/g, '\\$&');
    paths = paths.flatMap((path) => [`${path}.${escaped}`, ...(step.name === '*' ? [path] : [])]);
  }
  return paths;
}

function hasPath(of: EntityRegistry, type: EntityType, paths: readonly string[]): boolean {
  const start = { kind: 'entity', types: [type], references: 0 } as const;
  return paths.some((path) => !('fault' in resolvePath(of, path, start)));
}

it('every searchable value of an entity has a path, so rules can ask what filters ask', () => {
  const tested = registry.entityTypes.filter(({ aspects }) => aspects.has('testResults'));
  const places = tested.flatMap((type) =>
    [...type.aspects.values()].flatMap((aspect) =>
      aspect.searchFields.map((place) => ({ type, aspect, place })),
    ),
  );
  expect(places.length).toBeGreaterThan(300);
  const without = places.filter(
    ({ type, aspect, place }) => !hasPath(registry, type, listPaths(aspect, place)),
  );
  expect([...new Set(without.map(({ aspect, place }) => `${aspect.name}${place.path}`))]).toEqual([]);
});
