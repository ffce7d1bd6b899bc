import { describe, expect, it } from '@jest/globals';
import { mintToken } from '../access/access-token';
import { recordParameters } from './recorded-parameters';

describe('the recorded parameters', () => {
  it('show no secrets, at any depth', () => {
    expect(recordParameters({ index: 'search', deep: [{ apiToken: 'a', Password: { x: 'b' } }] })).toEqual({
      index: 'search',
      deep: [{ apiToken: '***', Password: '***' }],
    });
  });

  it('show the id of a token that was sent in place of its id, and not its secret', () => {
    const { id, token } = mintToken();
    expect(recordParameters({ id: token, [token]: [`of ${token.slice(0, 40)}, cut`] })).toEqual({
      id: `slg_${id}_***`,
      [`slg_${id}_***`]: [`of slg_${id}_***, cut`],
    });
  });

  it('are those of the call, numbers of any size included', () => {
    const sent = { n: 9_007_199_254_740_993n, list: [1, null, true], of: { a: '' } };
    expect(recordParameters({ ...sent, absent: undefined })).toEqual(sent);
    expect(recordParameters(['no', 'object'])).toEqual({});
  });

  it('are cut where they are large', () => {
    expect(recordParameters({ urns: ['x'.repeat(9_000)] })).toEqual({
      beginning: `{"urns":["${'x'.repeat(4_086)}`,
    });
    expect(recordParameters({ ids: Array(9_000).fill(1) })).toEqual({
      beginning: `{"ids":[${'1,'.repeat(2_044)}`,
    });
    const wide = Object.fromEntries(Array.from({ length: 9_000 }, (_, at) => [`m${String(at)}`, at]));
    expect(recordParameters(wide)).toEqual({ beginning: JSON.stringify(wide).slice(0, 4_096) });
  });

  it('are read no further than they are recorded', () => {
    let read = 0;
    const element = {
      get next() {
        read += 1;
        return 'x';
      },
    };
    recordParameters({ elements: Array(100_000).fill(element) });
    expect(read).toBeLessThan(4_096);
  });
});
