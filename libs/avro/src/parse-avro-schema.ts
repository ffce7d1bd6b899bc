import { parseJson } from '@stratalog/json';
import avro, { type Type } from 'avsc';

/** A parsed schema. */
export type AvroType = Type;

/**
 * Parses a schema. Union values carry the name of their branch only where avsc cannot tell the branches apart by
 * value.
 *
 * **Errors**: `TypeError` that names the fault in the text.
 */
export function parseAvroSchema(text: string): AvroType {
  try {
    return avro.Type.forSchema(parseJson(text) as avro.Schema, {
      wrapUnions: 'auto',
      omitRecordMethods: true,
    });
  } catch (cause) {
    // Also covers a stack overflow from deep nesting.
    throw new TypeError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}
