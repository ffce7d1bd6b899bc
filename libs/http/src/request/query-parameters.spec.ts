import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { QueryParameters } from './query-parameters';

describe('QueryParameters', () => {
  it.each([
    ['x=List(a,b)', ['a', 'b']],
    ['x=List()', []],
    ['x=List(a%2Cb,c%28d)', ['a,b', 'c(d']],
    ['x=List%28a%2Cb%29', ['a', 'b']],
    [
      'x=List(urn:li:dataset:(urn:li:dataPlatform:h,n,PROD),urn:li:tag:a)',
      ['urn:li:dataset:(urn:li:dataPlatform:h,n,PROD)', 'urn:li:tag:a'],
    ],
    ['x=List(a%2Cb)', ['a', 'b']],
    ['x=List(urn%3Ali%3Atag%3Aa%2Curn%3Ali%3Atag%3Ab)', ['urn:li:tag:a', 'urn:li:tag:b']],
    ['x=List(urn%3Ali%3Atag%3Aa%2C%20b)', ['urn:li:tag:a, b']],
    ['x=List((urn:urn%3Ali%3Atag%3Aa%2CversionStamp%3As%3A1))', ['(urn:urn:li:tag:a,versionStamp:s:1)']],
    ['x=a', ['a']],
    ['x=a,b', ['a', 'b']],
    ['x=a%2Cb', ['a', 'b']],
    ['x=urn%3Ali%3Atag%3Aa%2Cb', ['urn:li:tag:a,b']],
    ['x=a&y=1&x=b', ['a', 'b']],
    ['x=%252C', ['%2C']],
    ['x=a+b,100%', ['a b', '100%']],
    ['x=', []],
  ])('reads the list in %s', (text, elements) => {
    expect(new QueryParameters(text).list('x')).toEqual(elements);
  });

  it('distinguishes an absent list from an empty one', () => {
    expect(new QueryParameters('y=1').list('x')).toBeUndefined();
  });

  it('returns any elements that were encoded one by one', () => {
    const element = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => text === text.trim());
    const encode = (text: string) => encodeURIComponent(text).replaceAll('(', '%28').replaceAll(')', '%29');
    fc.assert(
      fc.property(fc.array(element, { minLength: 2 }), (elements) => {
        expect(new QueryParameters(`x=List(${elements.map(encode).join(',')})`).list('x')).toEqual(elements);
      }),
    );
  });

  it('rejects a repeated parameter, and one whose escapes are not UTF-8', () => {
    expect(() => new QueryParameters('v=1&v=2').optional('v')).toThrow(
      "Parameter 'v' is given more than once",
    );
    expect(() => new QueryParameters('v=%FF').optional('v')).toThrow(
      "Argument parameter 'v' value '%FF' is invalid",
    );
  });
});
