import { parseJson } from '@stratalog/model';
import avro, { type Type } from 'avsc';

/** A schema that was understood. */
export type AvroType = Type;

/**
 * Understands a schema. Unions that it cannot tell apart by their values are wrapped in the name of the branch, others are not.
 *
 * **Errors**: `TypeError` that says what in the text is no schema.
 */
export function parseAvroSchema(text: string): AvroType {
  try {
    return avro.Type.forSchema(parseJson(text) as avro.Schema, {
      wrapUnions: 'auto',
      omitRecordMethods: true,
    });
  } catch (cause) {
    // Of the stack too, when it is nested too deeply.
    throw new TypeError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}
