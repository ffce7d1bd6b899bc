import type { NoteUnknown, Steps } from '@stratalog/model';
import { noteUnknownFields } from '../check/note-unknown-fields';
import { dereferenced, type RecordSchema, type Schema } from '../schema/schema';
import type { PatchOperation } from './patch-document';

/**
 * Notes the fields that a patch names and the record does not have, in its paths and in the values that it puts there. What lies within an
 * array is passed over: its elements may stand under keys, as many as the patch says.
 */
export function* noteUnknownInPatch(
  record: RecordSchema,
  operations: readonly PatchOperation[],
  note: NoteUnknown,
): Steps<void> {
  for (const [at, operation] of operations.entries()) {
    const type = typeAt(record, operation.path, (place, name, known) => {
      note(`/${String(at)}/path${place}`, name, known);
    });
    yield;
    if (type === undefined || !('value' in operation)) continue;
    yield* noteUnknownFields(type, operation.value, note, `/${String(at)}/value`);
  }
}

/** `undefined` where a path leads into an array, or nowhere. */
function typeAt(schema: Schema, path: readonly string[], note: NoteUnknown): Schema | undefined {
  let type: Schema = dereferenced(schema);
  for (const [depth, step] of path.entries()) {
    if (type.kind === 'map') type = dereferenced(type.values);
    else if (type.kind === 'record') {
      const field = type.fields.find(({ name }) => name === step);
      if (field === undefined) {
        const known = type.fields.map(({ name }) => name);
        note(
          `/${path
            .slice(0, depth)
            .map((each) => `${each}/`)
            .join('')}`,
          step,
          known,
        );
        return undefined;
      }
      type = dereferenced(field.type);
    } else return undefined;
  }
  return type.kind === 'array' ? undefined : type;
}
