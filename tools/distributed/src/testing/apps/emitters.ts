import { PROPOSAL_SCHEMA, parseAvroSchema } from '@stratalog/avro';

interface RecordSchema {
  readonly fields: { readonly name: string; readonly type: unknown; readonly default?: unknown }[];
}

/** The schemas of emitters with their differences: releases omit or add fields, Java adds its string type. */
export const EMITTERS: Readonly<Record<string, string>> = {
  'Python 0.12.1': proposalSchema((fields) => fields.filter(({ name }) => name !== 'headers')),
  'Python 1.7.0': proposalSchema((fields) => [
    ...fields,
    { name: 'later', type: ['null', 'string'], default: null },
  ]),
  Java: PROPOSAL_SCHEMA.replaceAll('"string"', '{"type":"string","avro.java.string":"String"}'),
};

function proposalSchema(edit: (fields: RecordSchema['fields']) => RecordSchema['fields']): string {
  const schema = JSON.parse(PROPOSAL_SCHEMA) as RecordSchema;
  return JSON.stringify({ ...schema, fields: edit(schema.fields) }, undefined, 2);
}

/** The first call of an emitter to the registry: it requests the id of its schema. */
export function registration(schema: string): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/vnd.schemaregistry.v1+json' },
    body: JSON.stringify({ schema }),
  };
}

/** A record in the wire format of emitters: a zero, the schema's id, the body. */
export function avroRecord(schema: string, id: number, members: object): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(id, 1);
  return Buffer.concat([head, parseAvroSchema(schema).toBuffer(members)]);
}
