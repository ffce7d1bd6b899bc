import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MAX_SCHEMA_FIELD_URN_BYTES, MAX_URN_BYTES, lengthFault, parseUrn } from './urn';

function splitParts(text: string): readonly string[] | string {
  const result = parseUrn(text);
  return 'urn' in result ? result.urn.parts : result.fault;
}

function faultOf(text: string): string | undefined {
  const result = parseUrn(text);
  return 'fault' in result ? result.fault : undefined;
}

describe('parseUrn', () => {
  it('returns namespace, type, id and parts', () => {
    expect(parseUrn('urn:li:dataset:(urn:li:dataPlatform:hive,db.table,PROD)')).toEqual({
      urn: {
        namespace: 'li',
        entityType: 'dataset',
        id: '(urn:li:dataPlatform:hive,db.table,PROD)',
        parts: ['urn:li:dataPlatform:hive', 'db.table', 'PROD'],
      },
    });
  });

  it.each([
    ['urn:li:tag:a', ['a']],
    ['urn:li:tag:a:b:c', ['a:b:c']],
    ['urn:li:tag:a,b', ['a,b']],
    ['urn:li:tag:f(x', ['f(x']],
    ['urn:li:tag:a b', ['a b']],
    ['urn:li:tag:100%25', ['100%25']],
    ['urn:li:tag:日本+x', ['日本+x']],
    ['urn:li:tag:__proto__', ['__proto__']],
    ['urn:li:chart:(looker,a)', ['looker', 'a']],
    ['urn:li:x:(a,(b,c),d)', ['a', '(b,c)', 'd']],
    ['urn:li:x:(a,f(b,c),d)', ['a', 'f(b,c)', 'd']],
    [
      'urn:li:schemaField:(urn:li:dataset:(urn:li:dataPlatform:hive,t,PROD),a.b)',
      ['urn:li:dataset:(urn:li:dataPlatform:hive,t,PROD)', 'a.b'],
    ],
  ])('parses %s', (text, parts) => {
    expect(splitParts(text)).toEqual(parts);
  });

  it.each([
    ['', 'must start with "urn:"'],
    ['dataset', 'must start with "urn:"'],
    ['URN:li:tag:a', 'must start with "urn:"'],
    ['urn:li', 'must have the form urn:<namespace>:<entityType>:<id>'],
    ['urn:li:tag', 'must have the form urn:<namespace>:<entityType>:<id>'],
    ['urn:li:tag:', 'none of them empty'],
    ['urn::tag:a', 'none of them empty'],
    ['urn:li::a', 'none of them empty'],
    [' urn:li:tag:a', 'leading or trailing whitespace'],
    ['urn:li:tag:a\t', 'leading or trailing whitespace'],
    ['urn:li:tag:a\u00a0', 'leading or trailing whitespace'],
    ['urn:li:tag:a\u241fb', 'must not contain the character U+241F'],
    ['urn:li:tag:a\u0000b', 'control characters'],
    ['urn:li:tag:a\nb', 'control characters'],
    ['urn:li:tag:\ud83d', 'unpaired surrogates'],
    ['urn:li:x:(a', 'has unbalanced parentheses'],
    ['urn:li:x:(a,b))', 'has unbalanced parentheses'],
    ['urn:li:x:(a),b', 'has unbalanced parentheses'],
    ['urn:li:x:(a,b)c', 'has unbalanced parentheses'],
    ['urn:li:x:()', 'has an empty part'],
    ['urn:li:x:(a,)', 'has an empty part'],
    ['urn:li:x:(,a)', 'has an empty part'],
  ])('rejects "%s"', (text, fault) => {
    expect(splitParts(text)).toContain(fault);
  });

  it.each([
    ['a urn', 'tag', MAX_URN_BYTES, faultOf],
    ['a column in an index', 'schemaField', MAX_SCHEMA_FIELD_URN_BYTES, lengthFault],
  ] as const)('bounds %s, here of type %s, to %i encoded bytes', (_what, entityType, limit, fault) => {
    const start = `urn:li:${entityType}:`;
    const room = limit - encodeURIComponent(start).length;
    expect(fault(start + 'x'.repeat(room))).toBeUndefined();
    expect(fault(start + 'x'.repeat(room + 1))).toContain(`longer than ${String(limit)} bytes`);
    expect(fault(`${start}日${'x'.repeat(room - 9)}`)).toBeUndefined();
    expect(fault(`${start}日${'x'.repeat(room - 8)}`)).toContain('longer than');
  });

  it('accepts a column of any length', () => {
    const dataset = 'urn:li:dataset:(urn:li:dataPlatform:hive,t,PROD)';
    const path = 'é.'.repeat(20_000);
    expect(splitParts(`urn:li:schemaField:(${dataset},${path})`)).toEqual([dataset, path]);
  });

  const word = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
    .filter((text) => text.trim() === text && !/[(),\u241f\p{C}]/u.test(text));
  const part: fc.Arbitrary<string> = fc.oneof(
    word,
    fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => `(${words.join(',')})`),
    word.map((name) => `urn:li:dataPlatform:${name}`),
  );

  it('returns the parts that the id was built from', () => {
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), (parts) => {
        const text = `urn:li:thing:(${parts.join(',')})`;
        fc.pre(encodeURIComponent(text).length <= MAX_URN_BYTES);
        expect(splitParts(text)).toEqual(parts);
      }),
    );
  });

  it('accepts any text without throwing, and the parts of a valid urn rebuild it', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          word.map((id) => `urn:li:tag:${id}`),
        ),
        (text) => {
          const result = parseUrn(text);
          if ('fault' in result) {
            expect(result.fault).not.toBe('');
            return;
          }
          const { namespace, entityType, id, parts } = result.urn;
          expect(`urn:${namespace}:${entityType}:${id}`).toBe(text);
          expect(id.startsWith('(') ? `(${parts.join(',')})` : parts[0]).toBe(id);
        },
      ),
    );
  });
});
