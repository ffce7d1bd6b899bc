import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { allSteps, parseUntrustedInSteps, stringifyJson } from '@stratalog/model';
import { exampleValueOf } from '../example-value-of';
import { loadModel } from '../load-model';
import { checkAspect, checkAspectInSteps } from './check-aspect';

/** So few characters are many: nearly every object and list of an example is checked in steps then. */
const FEW = 12;

test('given any aspect, then its check in steps comes to what the check at once comes to', async () => {
  const registry = await loadModel({ folders: [join(import.meta.dirname, '../../../../models')] });
  const outcomeOf = (check: ReturnType<typeof checkAspect>) => ('text' in check ? check.text : check.faults);
  let inSteps = 0;
  for (const aspect of registry.aspects) {
    const text = stringifyJson(exampleValueOf(registry, aspect));
    for (const sent of [text, text.replaceAll('":"', '":7,"x":"'), text.replaceAll('[', '[null,')]) {
      const parsed = allSteps(
        parseUntrustedInSteps(
          sent.replaceAll('"x":', () => `"x${String(inSteps++)}":`),
          { largeLength: FEW },
        ),
      );
      inSteps += parsed.large.size;
      expect([aspect.name, outcomeOf(allSteps(checkAspectInSteps(registry, aspect, parsed)))]).toEqual([
        aspect.name,
        outcomeOf(checkAspect(registry, aspect, parsed.value)),
      ]);
    }
  }
  expect(inSteps).toBeGreaterThan(1_000);
});
