import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { allSteps, parseUntrustedInSteps, stringifyJson } from '@stratalog/json';
import { makeExampleValue } from '../values/make-example-value';
import { loadModel } from '../model/load-model';
import { checkAspect, checkAspectInSteps } from '../values/check-aspect';

/** A low limit, so nearly every object and list of an example is checked in steps. */
const FEW = 12;

test('the check in steps agrees with the check at once for any aspect', async () => {
  const registry = await loadModel({ folders: [join(import.meta.dirname, '../../../../models')] });
  const toOutcome = (check: ReturnType<typeof checkAspect>) => ('text' in check ? check.text : check.faults);
  let inSteps = 0;
  for (const aspect of registry.aspects) {
    const text = stringifyJson(makeExampleValue(registry, aspect));
    for (const sent of [text, text.replaceAll('":"', '":7,"x":"'), text.replaceAll('[', '[null,')]) {
      const parsed = allSteps(
        parseUntrustedInSteps(
          sent.replaceAll('"x":', () => `"x${String(inSteps++)}":`),
          { largeLength: FEW },
        ),
      );
      inSteps += parsed.large.size;
      expect([aspect.name, toOutcome(allSteps(checkAspectInSteps(registry, aspect, parsed)))]).toEqual([
        aspect.name,
        toOutcome(checkAspect(registry, aspect, parsed.value)),
      ]);
    }
  }
  expect(inSteps).toBeGreaterThan(1_000);
});
