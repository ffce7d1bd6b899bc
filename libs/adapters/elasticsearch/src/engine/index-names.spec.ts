import { describe, expect, test } from '@jest/globals';
import { InvalidSettingError } from '@stratalog/model';
import fc from 'fast-check';
import { IndexNames, documentId } from './index-names';

describe('index names', () => {
  const names = new IndexNames('stratalog_');

  test('given an entity type, then the name contains it', () => {
    expect(names.meta).toBe('stratalog_meta');
    expect(names.documents('0a1b2c3d')).toBe('stratalog_search_0a1b2c3d_all');
    expect(names.documentsOfType('0a1b2c3d', 'dataset')).toBe('stratalog_search_0a1b2c3d_dataset');
    expect(names.documentsOfType('0a1b2c3d', 'dataJob')).toBe('stratalog_search_0a1b2c3d_data-job');
    expect(names.documentsOfType('0a1b2c3d', 'a_b-é')).toBe('stratalog_search_0a1b2c3d_a.5f.b.2d..e9.');
  });

  test('property: different types have different names that every engine accepts', () => {
    const type = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1 }),
      fc.string({ minLength: 90, maxLength: 300 }),
    );
    fc.assert(
      fc.property(type, type, (one, other) => {
        const name = names.documentsOfType('0a1b2c3d', one);
        expect(name === names.documentsOfType('0a1b2c3d', other)).toBe(one === other);
        expect(name).toMatch(/^[a-z0-9_.-]+$/);
        expect(Buffer.byteLength(`${name}.write`)).toBeLessThanOrEqual(255);
      }),
    );
  });

  test.each(['', '_a', '-a', 'A', 'a b', 'a*', 'a,b', 'a'.repeat(81)])(
    'given the prefix %j, then it is rejected',
    (prefix) => {
      expect(() => new IndexNames(prefix)).toThrow(InvalidSettingError);
    },
  );
});

describe('document ids', () => {
  test('given a urn of up to 512 bytes, then the urn; given a longer one, then a hash', () => {
    const fits = `urn:li:dataset:${'ü'.repeat(248)}a`;
    expect(Buffer.byteLength(fits)).toBe(512);
    expect(documentId(fits)).toBe(fits);
    expect(documentId(`${fits}a`)).toMatch(/^sha256-[0-9a-f]{64}$/);
    expect(documentId(`${fits}a`)).not.toBe(documentId(`${fits}b`));
  });
});
