import { describe, expect, test } from '@jest/globals';
import type { QueryNode } from '@stratalog/domain';
import { toQuery, type EngineQuery } from './build-query';

const word = (...anyOf: readonly string[]): QueryNode => ({ kind: 'word', anyOf });

describe('toQuery', () => {
  test.each<[string, QueryNode, EngineQuery]>([
    ['everything', { kind: 'all' }, { match_all: {} }],
    ['nothing', { kind: 'none' }, { match_none: {} }],
    ['a word', word('sale'), { term: { tokens: { value: 'sale' } } }],
    ['a word or its stem', word('sales', 'Ssale'), { terms: { tokens: ['sales', 'Ssale'] } }],
    [
      'a word of a field',
      { kind: 'word', field: 'name', anyOf: ['sale'] },
      { term: { tokens: { value: '.name:sale' } } },
    ],
    [
      'a whole value',
      { kind: 'exact', field: 'tags', token: 'E61' },
      { term: { tokens: { value: '.tags:E61' } } },
    ],
    ['any value', { kind: 'exists', field: 'tags' }, { term: { tokens: { value: '.tags:' } } }],
    [
      'a prefix',
      { kind: 'phrase', field: 'name', tokens: ['sal'], prefix: true },
      { prefix: { tokens: { value: '.name:sal' } } },
    ],
    [
      'a phrase of one word',
      { kind: 'phrase', tokens: ['sale'], prefix: false },
      { term: { tokens: { value: 'sale' } } },
    ],
    [
      'a negation',
      { kind: 'not', node: word('a') },
      { bool: { must_not: [{ term: { tokens: { value: 'a' } } }] } },
    ],
  ])('given %s', (_what, node, query) => {
    expect(toQuery(node)).toEqual(query);
  });

  test('lets the last word of a phrase be a joined one', () => {
    expect(toQuery({ kind: 'phrase', tokens: ['a', 'b'], prefix: false })).toEqual({
      bool: {
        should: ['a Z Z b', 'a Z Z Z Jb', 'a Z Z Z Z Jb'].map((query) => ({
          match_phrase: { places: { query } },
        })),
        minimum_should_match: 1,
      },
    });
  });

  test('puts the field’s name before the words of a prefix phrase', () => {
    const query = toQuery({ kind: 'phrase', field: 'name', tokens: ['a', 'b'], prefix: true });
    expect(query.bool?.should).toContainEqual({
      match_phrase_prefix: { places: { query: 'F4Lnamea Z Z F4Lnameb', max_expansions: 10_000_000 } },
    });
  });

  test('nests nodes no deeper than an engine permits', () => {
    let node = word('a');
    for (let level = 0; level < 50; level++) {
      node = { kind: level % 2 === 0 ? 'and' : 'or', nodes: [node, { kind: 'not', node: word('b') }] };
    }
    const levels = deepest(toQuery(node));
    expect(levels.length).toBeGreaterThan(1);
    for (const level of levels) expect(level).toBeLessThan(16);
  });
});

/** Computes the nesting depth of each wrapped part of a query. */
function deepest(query: EngineQuery): readonly number[] {
  const within: number[] = [];
  const visit = ({ bool, wrapper }: EngineQuery, level: number): number => {
    if (wrapper !== undefined) {
      within.push(...deepest(JSON.parse(Buffer.from(wrapper.query, 'base64').toString()) as EngineQuery));
    }
    const inner = [bool?.filter, bool?.should, bool?.must_not].flat().filter((each) => each !== undefined);
    return Math.max(level, ...inner.map((each) => visit(each, level + 1)));
  };
  return [visit(query, 1), ...within];
}
