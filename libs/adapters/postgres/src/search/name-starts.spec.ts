import { describe, expect, it } from '@jest/globals';
import type { FieldTokens, ScoreCase } from '@stratalog/domain';
import fc from 'fast-check';
import { nameStarts, requiredStarts } from './name-starts';
import { toNameTsvector } from './to-tsvector';

const NAME_BOOST = 10;

function named(words: readonly string[], completions: readonly string[] = []): readonly FieldTokens[] {
  const tokens = words.map((token, position) => ({ token, position }));
  return [{ field: 'name', queryByDefault: true, boost: NAME_BOOST, tokens, exact: [], completions }];
}

function mayPass(text: readonly FieldTokens[], test: ScoreCase): boolean {
  const starts = BigInt(nameStarts({ text }));
  const required = requiredStarts(test);
  return required === undefined || required.some((bits) => (starts & BigInt(bits)) === BigInt(bits));
}

const word = (...anyOf: string[]): ScoreCase => ({ kind: 'word', tier: 1, anyOf, boost: 1 });
const prefix = (start: string): ScoreCase => ({ kind: 'prefix', tier: 1, start, boost: 1 });
const completion = (start: string, isWhole: boolean): ScoreCase => ({
  ...{ kind: 'completion', field: 'name', boost: 1 },
  start,
  isWhole,
});

const letters = fc.string({
  unit: fc.constantFrom('S', 'a', 'b', 'é', '日', '\u{1f600}'),
  minLength: 1,
  maxLength: 6,
});
const texts = fc.array(letters, { maxLength: 5 });

describe('the starts of names', () => {
  it('let through whatever the names themselves let through', () => {
    fc.assert(
      fc.property(texts, texts, letters, fc.boolean(), (words, completions, asked, isWhole) => {
        const text = named(words, completions);
        expect(toNameTsvector({ text })).toHaveLength(1);
        if (words.includes(asked)) expect(mayPass(text, word('other', asked))).toBe(true);
        if (words.some((each) => each.startsWith(asked))) expect(mayPass(text, prefix(asked))).toBe(true);
        const isMet = completions.some((each) => (isWhole ? each === asked : each.startsWith(asked)));
        if (isMet) expect(mayPass(text, completion(asked, isWhole))).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('stop most other names', () => {
    const names = Array.from({ length: 1_000 }, (_, at) =>
      named([`w${String(at)}`, `Sx${String(at)}`, 'fact', 'daily']),
    );
    const passed = names.filter((text) => mayPass(text, word('orders', 'Sorder')));
    expect(passed.length).toBeLessThan(100);
    expect(names.every((text) => mayPass(text, word('daily')))).toBe(true);
  });

  it('say nothing about a start of two letters', () => {
    expect(requiredStarts(prefix('or'))).toBeUndefined();
    expect(requiredStarts(completion('or', false))).toBeUndefined();
    expect(requiredStarts(completion('or', true))).toHaveLength(1);
  });
});
