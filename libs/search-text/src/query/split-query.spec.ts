import { describe, expect, it } from '@jest/globals';
import type { QueryNode, SearchCriterion, SearchField, SearchFieldType } from '@stratalog/domain';
import { toFilterKey } from '../analysis/filter-keys';
import { readRanges } from './read-ranges';
import { splitQuery } from './split-query';

const field = (name: string, type: SearchFieldType): [string, SearchField] => [
  name,
  { name, type, queryByDefault: name === 'name', boost: 1, autocomplete: false, aliases: [] },
];
const FIELDS = new Map([field('rows', 'COUNT'), field('size', 'COUNT'), field('name', 'TEXT')]);

const showNode = (node: QueryNode): string => {
  switch (node.kind) {
    case 'word':
      return node.anyOf[0] ?? '';
    case 'not':
      return `-${showNode(node.node)}`;
    case 'and':
    case 'or':
      return `(${node.nodes.map(showNode).join(node.kind === 'and' ? ' & ' : ' | ')})`;
    default:
      return node.kind;
  }
};
const showCriterion = (criterion: SearchCriterion): string => {
  if (criterion.condition === 'query') return showNode(criterion.query);
  const at = 'from' in criterion ? criterion.from.key : undefined;
  const name = `${criterion.fields.join()}>${[1, 2, 3].find((each) => toFilterKey(each) === at) ?? '?'}`;
  return criterion.negated ? `-${name}` : name;
};
const show = (text: string) => {
  const split = splitQuery(readRanges(text, FIELDS), FIELDS);
  return split === undefined
    ? undefined
    : [split.filter.map((list) => list.map(showCriterion).join(' ')).join(' OR '), showNode(split.words)];
};

describe('splitQuery', () => {
  it.each([
    ['(rows:>1)', 'rows>1', 'all'],
    ['a OR rows:>1', 'a OR rows>1', 'a'],
    ['a || b || rows:>1', '(a | b) OR rows>1', '(a | b)'],
    ['a (rows:>1 OR rows:>2)', 'a rows>1 OR a rows>2', 'a'],
    ['a OR (b c rows:>1)', 'a OR (b & c) rows>1', '(a | (b & c))'],
    ['(a OR rows:>1) (b OR size:>2)', 'a b OR a size>2 OR b rows>1 OR rows>1 size>2', '(a & b)'],
    ['-(a rows:>1)', '-a OR -rows>1', 'all'],
    ['a -(rows:>1 OR size:>2)', 'a -rows>1 -size>2', 'a'],
    ['a OR -rows:>1', 'a OR -rows>1', 'a'],
    ['a NOT rows:>1', 'a -rows>1', 'a'],
    ['NOT rows:>1', '-rows>1', 'all'],
    ['name:(a OR rows:>1)', 'a OR rows>1', 'a'],
  ])('%s', (text, filter, words) => {
    expect(show(text)).toEqual([filter, words]);
  });

  it('keeps a range behind more words than a query may have', () => {
    const words = Array.from({ length: 300 }, (_, at) => `w${String(at)}`).join(' ');
    expect(show(`(${words}) (rows:>1)`)?.[0]).toContain('rows>1');
  });

  it('gives up on too many combinations', () => {
    const group = '(rows:>1 OR rows:>2 OR rows:>3)';
    expect(show(`${group} ${group}`)?.[0]?.split(' OR ')).toHaveLength(9);
    expect(show(`${group} ${group} ${group}`)).toBeUndefined();
    expect(show(Array.from({ length: 17 }, () => 'rows:>1').join(' OR '))).toBeUndefined();
  });

  it('reads no mark in the text of a user', () => {
    expect(show('\uf8ff0\uf8ff OR a OR rows:>1')).toEqual(['(0 | a) OR rows>1', '(0 | a)']);
    expect(readRanges('a \uf8ff0\uf8ff', FIELDS)).toEqual({ text: 'a \uf8ff0\uf8ff', ranges: [] });
  });
});
