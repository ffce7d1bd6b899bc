import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { PatternBudget } from './pattern';
import { boundPatternCost } from './pattern-cost';

const fragment = fc.constantFrom(
  ...['a', 'b', '.', '\\d', '\\pL', '\\x{41}', '\\Q(a{9}\\E', '[^]a-z]', '[[:alpha:]]', '\\)'],
  ...['|', '*', '+', '?', '{3}', '{2,}', '{0,4}', '{,7}', '(', '(?:', '(?i:', '(?P<n>', ')', '^', '$'],
);

describe('the bound of the cost of a pattern', () => {
  test.each([
    ['a', 1],
    ['a{40}', 40],
    ['(?:ab){40}', 80],
    ['((a{9}){9}){9}', 729],
    [`(?:${'a'.repeat(990)}){1000}`, 990_000],
    ['\\Q(\\E{40}', 40],
    ['[(]{40}', 40],
    ['(?:[\\]({30}]a){40}', 80],
  ])(
    'the bound of the cost of a pattern of %.40s is at least %i, and at most four times as much',
    (pattern, size) => {
      const bound = boundPatternCost(pattern);
      expect(bound).toBeGreaterThanOrEqual(size);
      expect(bound).toBeLessThanOrEqual(4 * size);
    },
  );

  test('is never below the size of the compiled pattern', () => {
    fc.assert(
      fc.property(fc.array(fragment, { minLength: 1, maxLength: 12 }), (fragments) => {
        const pattern = fragments.join('');
        let compiled: RE2JS;
        try {
          compiled = RE2JS.compile(pattern);
        } catch {
          return;
        }
        // A program has an instruction to fail and one to match.
        expect(boundPatternCost(pattern)).toBeGreaterThanOrEqual(compiled.programSize() - 2);
      }),
      { numRuns: 3_000 },
    );
  });

  test('counts ranges of letters whose other cases are looked up', () => {
    expect(boundPatternCost(`(?i)${'[B-\\x{1e942}]'.repeat(30)}`)).toBeGreaterThan(4_000);
    expect(boundPatternCost('(?i)[a-zA-Z0-9_]+')).toBeLessThan(20);
  });
});

describe('the patterns of one definition', () => {
  test.each([
    [
      'a pattern that expands to many instructions',
      ['a{900}', `(?:${'a'.repeat(990)}){1000}`],
      /too large: about/,
    ],
    ['too many patterns', Array.from({ length: 51 }, () => 'a'), /one of more than 50 regular expressions/],
    ['patterns that are large together', Array.from({ length: 30 }, () => 'a{900}'), /large together/],
  ])('given %s, then the last one is faulty', (_, patterns, reason) => {
    const budget = new PatternBudget();
    const results = patterns.map((pattern) => budget.compile(pattern));
    const fault = results.find((result) => result !== undefined && 'fault' in result);
    expect(fault).toEqual({ fault: expect.stringMatching(reason) });
  });

  test('no further pattern is compiled after a faulty one', () => {
    const budget = new PatternBudget();
    expect(['a', '(', 'b'].map((pattern) => Object.keys(budget.compile(pattern) ?? {}))).toEqual([
      ['value'],
      ['fault'],
      [],
    ]);
  });
});
