import { InvalidModelError } from '@stratalog/domain';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readPdl } from './read-pdl';
import type { PdlDocument, RecordSyntax, TypeSyntax } from './pdl-syntax';

const EVERYTHING = `
/* licence */
namespace com.linkedin.\`record\`.things
package com.example.things

import com.linkedin.common.Urn
import com.linkedin.common.AuditStamp

/**
 * A thing.
 *
 * Of two paragraphs.
 */
@Aspect = {
  "name": "thing"   // a missing comma
  "type": "timeseries",,
}
@validate.strlen.max = 10
@validate.strlen.min = 1
@validate.\`com.example.Rule\`.on = [1, -2.5e3 true, null "x",]
@deprecated
record Thing includes Base, com.other.Base2 {
  /** Its name. */
  @Searchable.\`/*\`.fieldType = "TEXT"
  name: string = "none"
  \`optional\`: optional int, count: optional long = 9007199254740993
  nested: array[map[string, union[null, Urn, /** said by */ alias: AuditStamp]]]
  colour: enum Colour { /** like blood */ @deprecated = "use BLUE" RED, @x BLUE GREEN }
  inline: record Inner { a: boolean } = {"a": true}
  ref: typeref Ref = fixed MD5 16
  scoped: { namespace com.elsewhere @y record Far {} }
  @java.class = "X" /** Between annotation and name. */ last: record Tail {} includes Base
}
`;

function record(text: string): RecordSyntax {
  const { declaration } = readPdl(text, 'T.pdl');
  if (declaration.kind !== 'record') throw new Error('not a record');
  return declaration;
}

function toFault(text: string): string {
  try {
    readPdl(text, 'models/T.pdl');
  } catch (error) {
    if (error instanceof InvalidModelError) return error.message;
    throw error;
  }
  return 'no fault';
}

/** The type without its offsets. */
function plain(type: TypeSyntax | undefined): unknown {
  return JSON.parse(JSON.stringify(type, (name, value: unknown) => (name === 'at' ? undefined : value)));
}

describe('readPdl', () => {
  test('reads the head of a file with everything', () => {
    const document: PdlDocument = readPdl(EVERYTHING, 'Thing.pdl');

    expect(document.namespace).toBe('com.linkedin.record.things');
    expect(document.package).toBe('com.example.things');
    expect(document.imports.map(({ name }) => name)).toEqual([
      'com.linkedin.common.Urn',
      'com.linkedin.common.AuditStamp',
    ]);
    expect(document.declaration).toMatchObject({
      kind: 'record',
      name: 'Thing',
      doc: 'A thing.\n\nOf two paragraphs.',
    });
  });

  test('makes nested JSON of annotations with sloppy commas and dotted names', () => {
    expect(record(EVERYTHING).annotations).toEqual({
      Aspect: { name: 'thing', type: 'timeseries' },
      validate: {
        strlen: { max: 10, min: 1 },
        'com.example.Rule': { on: [1, -2500, true, null, 'x'] },
      },
      deprecated: true,
    });
  });

  test('reads names, options, defaults and docs of fields', () => {
    const fields = record(EVERYTHING).fields;

    expect(
      fields.map(({ name, optional, doc, default: fallback }) => [name, optional, doc, fallback]),
    ).toEqual([
      ['name', false, 'Its name.', 'none'],
      ['optional', true, '', undefined],
      ['count', true, '', 9007199254740993n],
      ['nested', false, '', undefined],
      ['colour', false, '', undefined],
      ['inline', false, '', { a: true }],
      ['ref', false, '', undefined],
      ['scoped', false, '', undefined],
      ['last', false, 'Between annotation and name.', undefined],
    ]);
    expect(fields[0]?.annotations).toEqual({ Searchable: { '/*': { fieldType: 'TEXT' } } });
  });

  test('reads compound and inline types in place', () => {
    const type = (name: string) =>
      plain(record(EVERYTHING).fields.find((field) => field.name === name)?.type);
    const reference = (name: string) => ({ kind: 'reference', name });

    expect(type('nested')).toEqual({
      kind: 'array',
      items: {
        kind: 'map',
        keys: reference('string'),
        values: {
          kind: 'union',
          members: [
            { annotations: {}, doc: '', type: reference('null') },
            { annotations: {}, doc: '', type: reference('Urn') },
            { alias: 'alias', annotations: {}, doc: 'said by', type: reference('AuditStamp') },
          ],
        },
      },
    });
    expect(type('colour')).toMatchObject({
      kind: 'enum',
      symbols: [
        { name: 'RED', doc: 'like blood', annotations: { deprecated: 'use BLUE' } },
        { name: 'BLUE', annotations: { x: true } },
        { name: 'GREEN', annotations: {} },
      ],
    });
    expect(type('ref')).toMatchObject({
      kind: 'typeref',
      name: 'Ref',
      ref: { kind: 'fixed', name: 'MD5', size: 16 },
    });
    expect(type('scoped')).toMatchObject({
      kind: 'record',
      name: 'Far',
      namespace: 'com.elsewhere',
      annotations: { y: true },
    });
    expect(type('last')).toMatchObject({ kind: 'record', name: 'Tail', includes: [reference('Base')] });
    expect(plain(record(EVERYTHING).includes[1])).toEqual(reference('com.other.Base2'));
  });

  test('treats an annotation member called __proto__ like any other', () => {
    const { annotations } = record('@a = {"__proto__": {"x": 1}} @`__proto__`.y = 2 record R {}');

    expect(Object.keys(annotations)).toEqual(['a', '__proto__']);
    expect(JSON.stringify(annotations)).toBe('{"a":{"__proto__":{"x":1}},"__proto__":{"y":2}}');
    expect(({} as { x?: number }).x).toBeUndefined();
  });

  test.each([
    ['', 'models/T.pdl:1:1: expected "record", "enum", "typeref" or "fixed", found the end of the file'],
    ['record R {\n  a string\n}', 'models/T.pdl:2:5: expected ":", found string'],
    ['record R {\n  a: \n}', 'models/T.pdl:3:1: expected a type, found }'],
    [
      'record R { a: string',
      'models/T.pdl:1:21: expected the name of a field or "}", found the end of the file',
    ],
    ['record {}', 'models/T.pdl:1:8: expected the name of the record, found {'],
    ['enum E { A: }', 'models/T.pdl:1:11: expected a symbol or "}", found :'],
    ['fixed F -1', 'models/T.pdl:1:9: expected a size in bytes, found -1'],
    ['@a = {1: 2} record R {}', 'models/T.pdl:1:7: expected a member name in double quotes or "}", found 1'],
    ['@a = nope record R {}', 'models/T.pdl:1:6: expected a JSON value, found nope'],
    [
      '@a = "\\x" record R {}',
      'models/T.pdl:1:6: expected a JSON string: it has an escape or character that JSON does not allow',
    ],
    ['@a = "x\n" record R {}', 'models/T.pdl:1:6: the string has no closing quote on its line'],
    ['@a = 01 record R {}', 'models/T.pdl:1:6: expected a JSON number, found 01'],
    ['@a = 1 @a = 2 record R {}', 'models/T.pdl:1:8: the annotation @a stands here twice'],
    ['@a = 1 @a.b = 2 record R {}', 'models/T.pdl:1:8: the annotation @a.b stands here twice'],
    ['/* record R {}', 'models/T.pdl:1:1: the comment has no end'],
    ['record `R {}', 'models/T.pdl:1:8: expected a name and a closing back quote on the same line'],
    ['record R { a: # }', 'models/T.pdl:1:15: unexpected character "#"'],
    ['record R {} record S {}', 'models/T.pdl:1:13: expected the end of the file, found record'],
  ])('given %j, then the error has the place and the expected token', (text, message) => {
    expect(toFault(text)).toBe(message);
  });

  test('rejects endlessly nested types', () => {
    expect(toFault(`typeref T = ${'array['.repeat(100_000)}`)).toMatch(/nested deeper than 100 levels$/);
    expect(toFault(`@${'a.'.repeat(100_000)}a record R {}`)).toMatch(/more than 20 names in a row$/);
    expect(toFault(`@a = ${'['.repeat(100_000)}`)).toMatch(/nested deeper than 100 levels$/);
  });

  test('property: any text is read, or rejected with a place', () => {
    const words = fc.constantFrom(
      ...'record enum typeref fixed union array map includes optional namespace import null true { } [ ] : = @ . , "a" `b` 1 -2 /** d */ // x'.split(
        ' ',
      ),
      '\n',
      'name',
    );
    const soup = fc.array(words, { maxLength: 40 }).map((tokens) => `record R { a: ${tokens.join(' ')}`);
    const broken = fc
      .tuple(fc.nat(EVERYTHING.length), fc.nat(20), fc.string())
      .map(([at, length, text]) => EVERYTHING.slice(0, at) + text + EVERYTHING.slice(at + length));
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), soup, broken), (text) => {
        expect(toFault(text)).toMatch(/^(?:no fault|models\/T\.pdl:\d+:\d+: )/);
      }),
      { numRuns: 1000 },
    );
  });
});
