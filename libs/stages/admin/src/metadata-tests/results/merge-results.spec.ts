import { describe, expect, it } from '@jest/globals';
import type { TestOutcome } from '@stratalog/metadata-tests';
import type { StoredAspect } from '@stratalog/domain';
import { stringifyJson, type JsonOutputObject } from '@stratalog/json';
import type { EntityType } from '@stratalog/registry';
import type { TestReport } from '../evaluate-entity';
import { listNew, mergeResults, parseResults, type StoredResults } from './merge-results';

const TYPE = { keyAspect: { name: 'tagKey' } } as EntityType;
const TEST = 'urn:li:test:a';
const [THEN, NOW] = [1, 5].map((time) => ({ time, actor: 'urn:li:corpuser:a' }));
const ERROR = { kind: 'error', reason: 'too much' } as const;

function report(outcome: TestOutcome, md5 = 'x'): TestReport {
  return { test: { urn: TEST, keyVersion: 1, name: 'A', md5, definition: { kind: 'draft' } }, outcome };
}

function stored(value: JsonOutputObject): StoredResults {
  const aspect = { name: 'testResults', version: 3, value: stringifyJson(value) } as StoredAspect;
  return parseResults(TYPE, { urn: 'urn:li:tag:a', seq: 1, deleted: false, aspects: [aspect] });
}

function merge(before: StoredResults, each: TestReport) {
  const now = NOW ?? { time: 0, actor: '' };
  return mergeResults({ stored: before, reports: [each], gone: new Set(), now });
}

const listed = (more: JsonOutputObject): JsonOutputObject => ({
  test: TEST,
  testDefinitionMd5: 'x',
  lastComputed: THEN ?? null,
  ...more,
});
const PASSED = { passing: [listed({ type: 'SUCCESS' })], failing: [] };
const FAULTY = { passing: [], failing: [], errors: [listed({ reason: 'too much' })] };

describe('an error', () => {
  it('takes the place of a result', () => {
    expect(merge(stored(PASSED), report(ERROR))).toEqual({
      passing: [],
      failing: [],
      errors: [listed({ reason: 'too much', lastComputed: NOW ?? null })],
    });
  });

  it('is as before with the same reason and definition', () => {
    expect(merge(stored(FAULTY), report(ERROR))).toBeUndefined();
    expect(merge(stored(FAULTY), report({ ...ERROR, reason: 'too many' }))).toBeDefined();
    expect(merge(stored(FAULTY), report(ERROR, 'y'))).toBeDefined();
  });

  it('has a reason that is cut', () => {
    const results = merge(
      parseResults(TYPE, { urn: 'urn:li:tag:a', seq: 1, deleted: false, aspects: [] }),
      report({ ...ERROR, reason: 'x'.repeat(1_000) }),
    );
    expect(results?.errors?.[0]?.reason).toBe(`${'x'.repeat(300)}…`);
    const again = merge(stored({ ...results }), report({ ...ERROR, reason: 'x'.repeat(1_000) }));
    expect(again).toBeUndefined();
  });

  it('goes when the test has an outcome, or is about other entities', () => {
    expect(merge(stored(FAULTY), report({ kind: 'passing' }))).not.toHaveProperty('errors');
    expect(merge(stored(FAULTY), report({ kind: 'not-applicable' }))).toEqual({ passing: [], failing: [] });
  });

  it('leaves what comes after it new, so that actions run and take back', () => {
    const isNew = (outcome: TestOutcome): boolean => listNew(stored(FAULTY), [report(outcome)]).length > 0;
    expect([isNew({ kind: 'passing' }), isNew({ kind: 'not-applicable' }), isNew(ERROR)]).toEqual([
      true,
      true,
      false,
    ]);
  });
});
