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

  test('given two equally near names, then the first wins, and a nearer one wins over both', () => {
    expect(nearestName('statas', ['status', 'states'])).toBe('status');
    expect(nearestName('states', ['status', 'STATES'])).toBe('STATES');
  });

  test('given two swapped letters, then they count as one edit', () => {
    expect(nearestName('titel', ['name', 'title'])).toBe('title');
    expect(nearestName('ulr', ['url'])).toBe('url');
    expect(nearestName('ab', ['ba'])).toBe('ba');
    expect(nearestName('rul', ['url'])).toBe('url');
    expect(nearestName('rlu', ['url'])).toBeUndefined();
  });

  test('given any text, then a near name differs in at most a third of it', () => {
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

  test('given a text of megabytes, then no name is near', () => {
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
