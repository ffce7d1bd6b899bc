import fc from 'fast-check';
import type { Operation } from './operation';
import { prefix, word } from './random-values';

/** Lists, descriptions and rollbacks of runs. */
export const anyOfRuns: fc.Arbitrary<Operation> = fc
  .record({
    prefix,
    runId: word,
    asked: fc.oneof(
      fc.record({ action: fc.constant('list'), more: fc.record({ includeSoft: fc.boolean() }) }),
      fc.record({
        action: fc.constant('describe'),
        more: fc.record({
          start: fc.constant(0),
          count: fc.constantFrom(0, 1_000),
          includeSoft: fc.boolean(),
          includeAspect: fc.boolean(),
        }),
      }),
      fc.record({
        action: fc.constant('rollback'),
        more: fc.record({ dryRun: fc.option(fc.boolean()), safe: fc.option(fc.boolean()) }),
      }),
    ),
  })
  .map(({ prefix: before, runId, asked: { action, more } }) => ({
    method: 'POST',
    target: `${before}/runs?action=${action}`,
    body: JSON.stringify({ runId, ...more }),
  }));
