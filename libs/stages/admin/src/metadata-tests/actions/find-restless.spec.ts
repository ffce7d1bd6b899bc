import { describe, expect, it } from '@jest/globals';
import { stringifyJson } from '@stratalog/json';
import { selectRestless } from './find-restless';

const [RESTLESS, CALM] = ['urn:li:test:restless', 'urn:li:test:calm'];
const actor = 'urn:li:corpuser:a';
const result = (test: string, type: string) => ({ test, type, testDefinitionMd5: 'x' });

/** Versions of results, the newest first, in which one test passes and fails in turn and another one always fails. */
function versions(count: number, timeOf: (at: number) => number) {
  return Array.from({ length: count }, (_, at) => {
    const own = at % 2 === 0 ? 'passing' : 'failing';
    const calm = result(CALM, 'FAILURE');
    const value =
      own === 'passing'
        ? { passing: [result(RESTLESS, 'SUCCESS')], failing: [calm] }
        : { passing: [], failing: [calm, result(RESTLESS, 'FAILURE')] };
    return { value: stringifyJson(value), created: { time: timeOf(at), actor } };
  });
}

describe('restless tests', () => {
  const select = (count: number, timeOf: (at: number) => number = () => 10) => [
    ...selectRestless(versions(count, timeOf), { tests: [RESTLESS, CALM], sinceMs: 10 }).keys(),
  ];

  it.each([
    [7, []],
    [8, [RESTLESS]],
    [20, [RESTLESS]],
  ])('are those with eight changes: of %i results and a new one', (count, found) => {
    expect(select(count)).toEqual(found);
  });

  it('rest when the changes are long ago', () => {
    expect(select(20, (at) => (at < 7 ? 10 : 9))).toEqual([]);
  });

  it('are not known from values that retention purged', () => {
    const purged = versions(20, () => 10).map(({ created }) => ({ created }));
    expect([...selectRestless(purged, { tests: [RESTLESS], sinceMs: 10 })]).toEqual([]);
  });
});
