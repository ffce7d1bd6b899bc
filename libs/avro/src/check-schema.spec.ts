import { describe, expect, it } from '@jest/globals';
import { checkSchema } from './check-schema';
import { canonicalSchema, computeFingerprint } from './canonical-schema';
import { CHANGE_SCHEMA, PROPOSAL_SCHEMA } from './record-schemas';

interface RecordSchema {
  readonly name: string;
  readonly fields: { readonly name: string; type: unknown }[];
}
const proposal = (edit: (schema: RecordSchema) => object): string =>
  JSON.stringify(edit(JSON.parse(PROPOSAL_SCHEMA) as RecordSchema));

describe('checkSchema', () => {
  it.each([
    ['our own', PROPOSAL_SCHEMA],
    ['that of changes', CHANGE_SCHEMA],
    ['one with a field that we do not know', withField({ name: 'x', type: ['null', 'string'] })],
    ['one without fields that are optional', withoutField('headers')],
    ['one with notes of its own', proposal((schema) => ({ ...schema, doc: 'x', compliance: 'NONE' }))],
    ['one with its name in one piece', proposal(({ name, fields }) => named(name, fields))],
  ])('accepts %s', (_name, text) => {
    expect(checkSchema(text)).toEqual({ fingerprint: computeFingerprint(text) });
  });

  it.each([
    ['invalid', 'no JSON', '{', 'is no Avro schema'],
    ['invalid', 'an unknown type', '{"type":"nothing"}', 'is no Avro schema'],
    ['invalid', 'endless depth', '['.repeat(10_000), 'nested deeper'],
    ['invalid', 'too much', `"${'x'.repeat(1_000_001)}"`, 'more than 1000000 characters'],
    ['invalid', 'a poisoned member', '{"type":"string","__proto__":{}}', '__proto__'],
    ['foreign', 'a plain type', '"string"', 'The schema is that of string'],
    ['foreign', 'another record', '{"type":"record","name":"com.x.Y","fields":[]}', 'that of com.x.Y'],
    ['unreadable', 'a member that is needed left out', withoutField('entityType'), 'cannot be read'],
    ['unreadable', 'a member of another type', withType('entityType', 'long'), 'cannot be read'],
  ])('rejects as %s a schema with %s', (rejection, _name, text, reason) => {
    expect(checkSchema(text)).toEqual({ rejection, reason: expect.stringContaining(reason) });
  });

  it('recognizes one schema in several spellings', () => {
    expect(canonicalSchema('{ "type" : "record", "name":"R","fields":[ ] }')).toBe(
      '{"fields":[],"name":"R","type":"record"}',
    );
    expect(computeFingerprint('{"a":1,"b":2}')).toBe(computeFingerprint('{"b":2, "a":1}'));
    expect(computeFingerprint('[1,2]')).not.toBe(computeFingerprint('[2,1]'));
  });

  function withField(field: { name: string; type: unknown }): string {
    return proposal((schema) => ({ ...schema, fields: [...schema.fields, field] }));
  }
  function withoutField(name: string): string {
    return proposal((schema) => ({
      ...schema,
      fields: schema.fields.filter((field) => field.name !== name),
    }));
  }
  function withType(name: string, type: unknown): string {
    return proposal((schema) => ({
      ...schema,
      fields: schema.fields.map((field) => (field.name === name ? { ...field, type } : field)),
    }));
  }
  function named(name: string, fields: unknown): object {
    return { type: 'record', name: `com.linkedin.pegasus2avro.mxe.${name}`, fields };
  }
});
