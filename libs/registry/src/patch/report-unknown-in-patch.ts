import type { ReportUnknown } from '@stratalog/domain';
import type { Steps } from '@stratalog/json';
import { reportUnknownFields } from '../check/report-unknown-fields';
import { dereferenced, type RecordSchema, type Schema } from '../schema/schema';
import type { PatchOperation } from './patch-document';

/**
 * Reports unknown fields of a patch, in its paths and in the values it writes. Ignores paths within an array, because
 * its elements may have any keys.
 */
export function* reportUnknownInPatch(
  record: RecordSchema,
  operations: readonly PatchOperation[],
  report: ReportUnknown,
): Steps<void> {
  for (const [at, operation] of operations.entries()) {
    const type = resolveType(record, operation.path, (place, name, known) => {
      report(`/${String(at)}/path${place}`, name, known);
    });
    yield;
    if (type === undefined || !('value' in operation)) continue;
    yield* reportUnknownFields(type, operation.value, report, `/${String(at)}/value`);
  }
}

/** Returns the type at a path; `undefined` for a path into an array, or for an unknown field. */
function resolveType(schema: Schema, path: readonly string[], report: ReportUnknown): Schema | undefined {
  let type: Schema = dereferenced(schema);
  for (const [depth, step] of path.entries()) {
    if (type.kind === 'map') type = dereferenced(type.values);
    else if (type.kind === 'record') {
      const field = type.fields.find(({ name }) => name === step);
      if (field === undefined) {
        const known = type.fields.map(({ name }) => name);
        report(
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
