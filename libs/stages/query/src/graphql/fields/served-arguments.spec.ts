import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { isInputObjectType, isInterfaceType, isObjectType } from 'graphql';
import { EntityTypeNames } from '../entity-type-names';
import { buildSchema } from './build-schema';

/** Members of inputs that change nothing about what an answer holds, each with the reason. */
const WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  'SearchFlags.skipCache': 'no search is cached',
  'SearchFlags.skipHighlighting': 'no field of an answer is highlighted',
  'SearchFlags.customHighlightingFields': 'no field of an answer is highlighted',
  'SearchFlags.getSuggestions': 'no field of an answer has suggestions',
  'SearchFlags.includeRestricted': 'nothing is restricted',
  'SearchFlags.includeHiddenLifecycleStages': 'no stage of life is hidden',
  'GroupingCriterion.baseEntityType': 'results are entities or columns, whatever they come from',
  'EntityTypeToPlatforms.entityType': 'ignoreAsHops is rejected',
  'EntityTypeToPlatforms.platforms': 'ignoreAsHops is rejected',
};

/** What resolvers are made of. */
function readSources(): string {
  const root = join(import.meta.dirname, '..');
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => /^(?:roots|filters|fields|changes)\/.*\.ts$/.test(name) && !name.endsWith('.spec.ts'))
    .map((name) => withoutTypes(readFileSync(join(root, name), 'utf8')))
    .join('\n');
}

/** A member that only a type names is not read. */
function withoutTypes(source: string): string {
  return source.replaceAll(/^\s*(?:readonly .*|\/?\*.*|\/\/.*)$/gm, '');
}

describe('what the schema takes', () => {
  it('is read by a resolver, or has a reason to be without effect', () => {
    const sources = readSources();
    const schema = buildSchema(new EntityTypeNames({ entityTypes: [] }));
    const taken = new Map<string, string>();
    for (const type of Object.values(schema.getTypeMap())) {
      if (type.name.startsWith('__')) continue;
      if (isInputObjectType(type)) {
        for (const { name } of Object.values(type.getFields())) taken.set(`${type.name}.${name}`, name);
      }
      if (!isObjectType(type) && !isInterfaceType(type)) continue;
      for (const field of Object.values(type.getFields())) {
        for (const { name } of field.args) taken.set(`${type.name}.${field.name}(${name})`, name);
      }
    }
    const ignored = [...taken].flatMap(([place, name]) =>
      new RegExp(`\\b${name}\\b`).test(sources) ? [] : [place],
    );
    expect(taken.size).toBeGreaterThan(50);
    expect(ignored.filter((place) => WITHOUT_EFFECT[place] === undefined)).toEqual([]);
    expect(Object.keys(WITHOUT_EFFECT).filter((place) => !taken.has(place))).toEqual([]);
  });
});
