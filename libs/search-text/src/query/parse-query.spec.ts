import { describe, expect, test } from '@jest/globals';
import type { QueryNode, SearchField, SearchFieldType } from '@stratalog/domain';
import fc from 'fast-check';
import { MAX_QUERY_WORDS, parseQuery } from './parse-query';
import { exactToken } from '../analysis/token';

const field = (
  name: string,
  type: SearchFieldType,
  aliases: readonly string[] = [],
): [string, SearchField] => [
  name,
  { name, type, queryByDefault: true, boost: 1, autocomplete: false, aliases },
];
const FIELDS = new Map([
  field('name', 'WORD_GRAM', ['_entityName']),
  field('description', 'TEXT'),
  field('tags', 'URN'),
  field('upstreams', 'URN'),
  field('urn', 'URN'),
  field('rows', 'COUNT'),
  field('url', 'KEYWORD'),
]);
const VALUES = ['Legacy', 'a', 'b', 'urn:li:tag:Legacy', '(x y)', 'http://h/a?b=(c)"d"', '12'];
const VALUES_WITH_BACKSLASH = ['CORP\\asmith', 'C:\\data\\_x y', 'a\\'];
const EXACT = new Map([...VALUES, ...VALUES_WITH_BACKSLASH].map((v) => [exactToken(v), v]));

/** The tree in brackets: words as their plain form, phrases in quotes. */
function show(node: QueryNode): string {
  const scope = 'field' in node ? `${node.field}:` : '';
  switch (node.kind) {
    case 'all':
      return '*';
    case 'none':
      return 'none';
    case 'word':
      return `${scope}${node.anyOf[0] ?? ''}`;
    case 'phrase':
      return `${scope}"${node.tokens.join(' ')}"${node.prefix ? '*' : ''}`;
    case 'infix':
      return `${scope}*${node.part}${node.isEnd ? '' : '*'}`;
    case 'exact':
      return `${scope}=${EXACT.get(node.token) ?? node.token}`;
    case 'exists':
      return `${scope}*`;
    case 'completion':
      return `${scope}${node.start}…`;
    case 'not':
      return `-${show(node.node)}`;
    default:
      return `(${node.kind}${node.nodes.map((inner) => ` ${show(inner)}`).join('')})`;
  }
}
const parsed = (text: string) => show(parseQuery(text, FIELDS));

describe('parseQuery', () => {
  test.each([
    // everything and nothing
    ['', '*'],
    ['  ', '*'],
    ['*', '*'],
    ['(**)', '*'],
    ['-*', 'none'],
    ['&', 'none'],
    ['""', 'none'],
    // words and phrases
    ['red', 'red'],
    ['Red Shoes', '(and red shoes)'],
    ['red & blue', '(and red blue)'],
    ['"red shoes"', '"red shoes"'],
    ['"shoes"', 'shoes'],
    ['a.b.c', '"a b c"'],
    ['red_shoes', '(or "red shoes" redshoes)'],
    ['redShoes', '(or "red shoes" redshoes)'],
    ['count(*)', 'count'],
    // prefixes
    ['re*', '"re"*'],
    ['red_sh*', '(or "red sh"* "redsh"*)'],
    ['"red sh"*', '"red sh"*'],
    ['sales.*', 'sales'],
    ['r*d', '"r d"'],
    ['*red', '*red'],
    ['**Red**', '*red*'],
    ['\\*red', 'red'],
    ['*r', 'r'],
    ['*red_sh*', '(or "red sh"* "redsh"*)'],
    ['*ré*', '*re*'],
    ['*日本*', '"Xe697a5 Xe69cac"*'],
    // operators
    ['a AND b OR c', '(or (and a b) c)'],
    ['a && b || c', '(or (and a b) c)'],
    ['a (b OR c)', '(and a (or b c))'],
    ['a and b', '(and a and b)'],
    ['-a', '-a'],
    ['!a', '-a'],
    ['NOT a', '-a'],
    ['a -b', '(and a -b)'],
    ['a-b', '(or "a b" ab)'],
    ['a - b', '(and a b)'],
    ['a -(b c)', '(and a -(and b c))'],
    ['--a', 'a'],
    ['-(-a)', 'a'],
    ['NOT NOT NOT a', '-a'],
    // fields
    ['name:red', 'name:red'],
    ['NAME:red', 'name:red'],
    ['_entityName:red', 'name:red'],
    ['name:"red shoes"', 'name:"red shoes"'],
    ['name:*re*', 'name:*re*'],
    ['tags:*egac*', 'tags:*egac*'],
    ['name:re*', 'name:"re"*'],
    ['name:*', 'name:*'],
    ['name:(a OR b)', '(or name:a name:b)'],
    ['-name:red', '-name:red'],
    ['foo:bar', '"foo bar"'],
    ['name:', 'name'],
    ['name: red', '(and name red)'],
    [':red', 'red'],
    ['name\\:red', '"name red"'],
    ['tags:Legacy', 'tags:=Legacy'],
    ['tags:urn:li:tag:Legacy b', '(and tags:=urn:li:tag:Legacy b)'],
    ['(tags:urn:li:tag:Legacy)', 'tags:=urn:li:tag:Legacy'],
    ['tags:"(x y)"', 'tags:=(x y)'],
    ['tags:Leg*', 'tags:"leg"*'],
    ['tags:(a OR b)', '(or tags:=a tags:=b)'],
    ['url:http://h/a?b=(c)"d" x', '(and url:=http://h/a?b=(c)"d" x)'],
    ['rows:012', 'rows:=12'],
    // urns
    ['urn:li:tag:Legacy', 'legacy'],
    ['urn:li:dataset:(urn:li:dataPlatform:hive,a b.c,PROD)', '"hive a b c prod"'],
    ['urn:urn:li:tag:Legacy', 'urn:=urn:li:tag:Legacy'],
    // escapes and unfinished input
    ['\\-a', 'a'],
    ['a\\*', 'a'],
    ['\\AND b', '(and and b)'],
    ['"a \\" b"', '"a b"'],
    ['CORP\\asmith', '"corp asmith"'],
    ['"CORP\\asmith"', '"corp asmith"'],
    ['tags:CORP\\asmith', 'tags:=CORP\\asmith'],
    ['tags:"CORP\\asmith"', 'tags:=CORP\\asmith'],
    ['tags:CORP\\\\asmith', 'tags:=CORP\\asmith'],
    ['tags:C\\:\\data\\_x\\ y', 'tags:=C:\\data\\_x y'],
    ['tags:a\\', 'tags:=a\\'],
    ['"a b', '"a b"'],
    ['(a', 'a'],
    ['a))', 'a'],
    ['a OR', 'a'],
    ['AND a', 'a'],
    ['a OR OR b', '(or a b)'],
    ['a NOT', 'a'],
    ['OR', 'or'],
    ['a \\', 'a'],
    ['/q tags:Legacy', 'tags:=Legacy'],
    ['\\/q tags:Legacy', 'tags:=Legacy'],
  ])('given %j, then %s', (text, tree) => {
    expect(parsed(text)).toBe(tree);
  });

  test('takes the stem of a word too, and in quotes only the word', () => {
    expect(parseQuery('running', FIELDS)).toEqual({ kind: 'word', anyOf: ['running', 'run', 'Srun'] });
    expect(parseQuery('"running"', FIELDS)).toEqual({
      kind: 'word',
      anyOf: ['running'],
      isQuoted: true,
    });
    expect(parseQuery('2024', FIELDS)).toEqual({ kind: 'word', anyOf: ['2024'] });
  });

  test('leaves parentheses and commas to the urn of a dataset that is a value', () => {
    const urn = 'urn:li:dataset:(urn:li:dataPlatform:hive,a.b,PROD)';
    expect(parseQuery(`(upstreams:${urn})`, FIELDS)).toEqual({
      kind: 'exact',
      field: 'upstreams',
      token: exactToken(urn),
    });
  });

  test('prefers the name of a field to an equal alias of another', () => {
    const fields = new Map([field('title', 'TEXT', ['label']), field('label', 'TEXT')]);
    expect(parseQuery('label:x', fields)).toMatchObject({ field: 'label' });
  });
});

describe('limits', () => {
  const depthOf = (node: QueryNode): number => {
    if (node.kind === 'not') return 1 + depthOf(node.node);
    if (node.kind !== 'and' && node.kind !== 'or') return 1;
    return 1 + Math.max(...node.nodes.map(depthOf));
  };
  const splitWords = (node: QueryNode): number => {
    if (node.kind === 'not') return splitWords(node.node);
    if (node.kind === 'and' || node.kind === 'or')
      return node.nodes.reduce((sum, each) => sum + splitWords(each), 0);
    return node.kind === 'phrase' ? node.tokens.length : 1;
  };

  test.each([
    '(',
    ')',
    '"',
    '-',
    '!',
    ':',
    '*',
    '\\',
    ' ',
    'a ',
    'a_',
    'a.',
    'aB',
    'a1',
    '((a ',
    '-(a OR b ',
    'x:',
    'name:',
    'tags:(',
    'urn:a:b:( ',
    'AND ',
    'NOT ',
    '日',
    'д1a',
    '\ud800',
  ])('given a megabyte of %j, then a small tree in short time', (piece) => {
    const started = performance.now();
    const tree = parseQuery(piece.repeat(1_000_000 / piece.length), FIELDS);
    expect(performance.now() - started).toBeLessThan(limitMs(5_000));
    expect(depthOf(tree)).toBeLessThanOrEqual(50);
    expect(splitWords(tree)).toBeLessThanOrEqual(2 * MAX_QUERY_WORDS);
  });

  test('keep the first of too many words', () => {
    const tree = parseQuery(Array.from({ length: 300 }, (_, at) => `w${String(at)}`).join(' '), FIELDS);
    expect(tree.kind === 'and' && tree.nodes).toHaveLength(MAX_QUERY_WORDS);
    expect(splitWords(parseQuery(`"${'a '.repeat(300)}"`, FIELDS))).toBe(MAX_QUERY_WORDS);
  });

  test('property: any text gives a tree, the same each time, within the limits', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '(',
        ')',
        '"',
        '-',
        '!',
        '*',
        ':',
        '\\',
        ' ',
        ' AND ',
        ' OR ',
        ' NOT ',
        'name:',
        'tags:',
        'urn:li:tag:',
        'red',
        'redShoes',
      ),
      fc.string({ unit: 'binary', maxLength: 5 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 200 }), (pieces) => {
        const tree = parseQuery(pieces.join(''), FIELDS);
        expect(parseQuery(pieces.join(''), FIELDS)).toEqual(tree);
        expect(depthOf(tree)).toBeLessThanOrEqual(50);
        expect(splitWords(tree)).toBeLessThanOrEqual(2 * MAX_QUERY_WORDS);
      }),
      { numRuns: 500 },
    );
  });
});
