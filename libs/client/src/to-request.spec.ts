import { describe, expect, it } from '@jest/globals';
import { toRequest } from './to-request';

const URN = 'urn:li:dataset:(urn:li:dataPlatform:hive,a/b (c),PROD)';
const ENCODED = 'urn%3Ali%3Adataset%3A%28urn%3Ali%3AdataPlatform%3Ahive%2Ca%2Fb%20%28c%29%2CPROD%29';

describe('a request of a call', () => {
  it('has the parameters of an action in its body, with all digits', () => {
    const parameters = { urn: URN, count: 9_007_199_254_740_993n, left: undefined };
    expect(toRequest('POST /runs?action=rollback', parameters)).toEqual({
      method: 'POST',
      target: '/runs?action=rollback',
      body: `{"urn":"${URN}","count":9007199254740993}`,
    });
  });

  it('has an empty object as the body of an action without parameters', () => {
    expect(toRequest('POST /operations?action=describeLog').body).toBe('{}');
  });

  it('has the parameters that the path names in the path, and all others in the query', () => {
    const parameters = { urn: URN, aspects: ['a', 'b,c'], asOf: 1, none: undefined };
    expect(toRequest('GET /entitiesV2/:urn/timeline', parameters)).toEqual({
      method: 'GET',
      target: `/entitiesV2/${ENCODED}/timeline?aspects=List(a,b%2Cc)&asOf=1`,
    });
  });

  it('has no query where no parameter is given', () => {
    expect(toRequest('GET /config')).toEqual({ method: 'GET', target: '/config' });
    expect(toRequest('GET /entitiesV2/:urn', { urn: 'a' })).toEqual({
      method: 'GET',
      target: '/entitiesV2/a',
    });
  });
});
