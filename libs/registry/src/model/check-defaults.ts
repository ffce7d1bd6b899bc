import { CheckRun } from '../check/check-run';
import type { Checks } from '../check/compile-checks';
import type { NamedSchema } from '../schema/schema';
import { errorAt } from '../pdl/source-file';

/**
 * Checks that the default of every field is a valid value of its type.
 *
 * **Errors**: `InvalidModelError` at the first field with an invalid default.
 */
export function checkDefaults(schemas: Iterable<NamedSchema>, checks: Checks): void {
  for (const schema of schemas) {
    if (schema.kind !== 'record') continue;
    for (const { name, type, optional, default: fallback, origin } of schema.fields) {
      if (fallback === undefined || (optional && fallback === null)) continue;
      const run = new CheckRun();
      checks.compileCheck(type)(fallback, run);
      const [fault] = run.faults;
      if (fault !== undefined) {
        const { path, reason } = fault;
        throw errorAt(origin, `the default of ${name} does not fit its type: ${`${path} ${reason}`.trim()}`);
      }
    }
  }
}
