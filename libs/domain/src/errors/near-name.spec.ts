import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { didYouMean, nearestName } from './near-name';

const ASPECTS = ['datasetKey', 'datasetProperties', 'datasetProfile', 'ownership', 'status', 'tagProperties'];

describe('nearestName', () => {
  test.each([
    ['datasetPropertys', 'datasetProperties'],
    ['datasetproperties', 'datasetProperties'],
    ['ownreship', 'ownership'],
    ['statuss', 'status'],
    ['Status', 'status'],
    ['sattus', 'status'],
    ['stauts', 'status'],
  ])('given %s, then the nearest name is %s', (given, name) => {
    expect(nearestName(given, ASPECTS)).toBe(name);
  });

  test.each(['nothing', 'x', '', 'own', 'x'.repeat(101), `ownership${'p'.repeat(92)}`])(
    'given %j, then no name is near',
    (given) => {
      expect(nearestName(given, ASPECTS)).toBeUndefined();
    },
  );

  test('prefers the first of two equally near names, and a nearer one over both', () => {
    expect(nearestName('statas', ['status', 'states'])).toBe('status');
    expect(nearestName('states', ['status', 'STATES'])).toBe('STATES');
  });

  test('counts two swapped letters as one edit', () => {
    expect(nearestName('titel', ['name', 'title'])).toBe('title');
    expect(nearestName('ulr', ['url'])).toBe('url');
    expect(nearestName('ab', ['ba'])).toBe('ba');
    expect(nearestName('rul', ['url'])).toBe('url');
    expect(nearestName('rlu', ['url'])).toBeUndefined();
  });

  test('finds only names that differ in at most a third of the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (given) => {
        const name = nearestName(given, ASPECTS);
        if (name === undefined) return;
        expect(Math.abs(name.length - given.length)).toBeLessThanOrEqual(
          Math.max(1, Math.floor(given.length / 3)),
        );
      }),
    );
  });

  test('finds no name near a text of megabytes', () => {
    const names = {
      [Symbol.iterator]: (): Iterator<string> => {
        throw new Error('compared');
      },
    };
    expect(nearestName('a'.repeat(5_000_000), names)).toBeUndefined();
  });
});

describe('didYouMean', () => {
  test('suggests a name, or returns an empty text', () => {
    expect(didYouMean('ownershp', ASPECTS)).toBe('; did you mean ownership?');
    expect(didYouMean('nothing', ASPECTS)).toBe('');
  });
});
