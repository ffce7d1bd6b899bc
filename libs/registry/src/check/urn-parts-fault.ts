import type { RecordSchema, Schema } from '../schema/schema';
import { CheckRun, type Check } from './check-run';
import type { PartsFault } from './urn-check';

/**
 * Creates a check of urn parts by the keys of entity types: as many parts as the key has fields, each valid for its
 * field.
 *
 * A key of one field accepts the whole id. A urn of an unknown type is not checked.
 */
export function urnPartsFault(
  keys: ReadonlyMap<string, RecordSchema>,
  compileCheck: (schema: Schema) => Check,
): PartsFault {
  const checks = new Map<RecordSchema, readonly { readonly name: string; readonly check: Check }[]>();
  return ({ entityType, id, parts: given }) => {
    const key = keys.get(entityType.toLowerCase());
    if (key === undefined) return undefined;
    let fields = checks.get(key);
    if (fields === undefined) {
      fields = key.fields.map(({ name, type }) => ({ name, check: compileCheck(type) }));
      checks.set(key, fields);
    }
    const parts = fields.length === 1 ? [id] : given;
    if (parts.length !== fields.length) {
      const names = fields.map(({ name }) => name).join(',');
      return `its id must be a tuple of ${String(fields.length)} parts (${names})`;
    }
    for (const [at, { name, check }] of fields.entries()) {
      const run = new CheckRun();
      check(parts[at] ?? '', run);
      const [fault] = run.faults;
      if (fault !== undefined) return `its part ${name} ${fault.reason}`;
    }
    return undefined;
  };
}
