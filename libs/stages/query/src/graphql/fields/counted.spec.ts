import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { buildASTSchema, execute, isObjectType, parse, type GraphQLFieldResolver } from 'graphql';
import type { CallScope } from '../call-scope';
import { Costs } from '../costs';
import { EntityTypeNames } from '../entity-type-names';
import { buildSchema } from './build-schema';
import { counted } from './counted';
import { Turns } from './turns';

const SCHEMA = buildASTSchema(parse('type Query {rows(of: String): [Row]} type Row {a: Int b: Int}'));
for (const type of Object.values(SCHEMA.getTypeMap())) {
  if (!isObjectType(type) || type.name.startsWith('__')) continue;
  for (const field of Object.values(type.getFields())) {
    const resolve = field.name === 'rows' ? makeRows : () => spend(0.05);
    field.resolve = counted(resolve, field) as GraphQLFieldResolver<unknown, unknown>;
  }
}

function makeRows(): object[] {
  return Array.from({ length: 5_000 }, () => ({}));
}

/** Works for some time. */
function spend(ms: number): number {
  const end = performance.now() + ms;
  while (performance.now() < end);
  return 1;
}

function run(text: string, schema = SCHEMA): { readonly costs: Costs; readonly answer: Promise<unknown> } {
  const costs = new Costs(10_000);
  const scope = { costs, turns: new Turns() } as unknown as CallScope;
  const result = execute({ schema, document: parse(text), contextValue: scope });
  return { costs, answer: Promise.race([result, costs.exceeded]) };
}

describe('the fields of an answer', () => {
  it('of one long list let others have their turn', async () => {
    const { answer } = run('{rows {a b}}');
    let turns = 0;
    const state = { isOver: false };
    const others = (async () => {
      while (!state.isOver) {
        await setImmediate();
        turns++;
      }
    })();
    const { data } = (await answer) as { readonly data: { readonly rows: readonly unknown[] } };
    state.isOver = true;
    await others;
    expect(data.rows).toHaveLength(5_000);
    // All fields take half a second, and a turn 20 ms.
    expect(turns).toBeGreaterThan(5);
  });

  it('of introspection count too', async () => {
    const schema = buildSchema(new EntityTypeNames({ entityTypes: [] }));
    const all = '__schema {types {fields {name type {name kind ofType {name kind}}}}}';
    const text = `{${Array.from({ length: 60 }, (_each, at) => `s${String(at)}: ${all}`).join(' ')}}`;
    await expect(run(text, schema).answer).rejects.toThrow('more than 200000 fields');
  });

  it('with a NUL in an argument are rejected, and the message names it', async () => {
    const answer = await run('{rows(of: "a\\u0000") {a}}').answer;
    expect(JSON.stringify(answer)).toContain('rows/of: must not hold a NUL character');
  });
});
