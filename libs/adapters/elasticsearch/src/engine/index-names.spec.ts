import { describe, expect, test } from '@jest/globals';
import { InvalidSettingError } from '@stratalog/domain';
import { IndexNames, documentId } from './index-names';

describe('index names', () => {
  const names = new IndexNames('stratalog_');

  test('contain the index version', () => {
    expect(names.meta).toBe('stratalog_meta');
    expect(names.documents('0a1b2c3d')).toBe('stratalog_search_0a1b2c3d_all');
  });

  test.each(['', '_a', '-a', 'A', 'a b', 'a*', 'a,b', 'a'.repeat(81)])(
    'given the prefix %j, then it is rejected',
    (prefix) => {
      expect(() => new IndexNames(prefix)).toThrow(InvalidSettingError);
    },
  );
});

describe('document ids', () => {
  test('are urns of up to 512 bytes, and hashes of longer ones', () => {
    const fits = `urn:li:dataset:${'ü'.repeat(248)}a`;
    expect(Buffer.byteLength(fits)).toBe(512);
    expect(documentId(fits)).toBe(fits);
    expect(documentId(`${fits}a`)).toMatch(/^sha256-[0-9a-f]{64}$/);
    expect(documentId(`${fits}a`)).not.toBe(documentId(`${fits}b`));
  });
});
