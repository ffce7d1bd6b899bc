import { describe, expect, it } from '@jest/globals';
import { toCsv } from './csv';

describe('toCsv', () => {
  it('quotes what needs it, and leaves no formula', () => {
    expect(
      toCsv([
        ['name', 'hops'],
        ['a "b", c', -1],
        ['=1+1', 2],
        ['-x\ny', 3],
      ]),
    ).toBe('name,hops\r\n"a ""b"", c",-1\r\n\'=1+1,2\r\n"\'-x\ny",3\r\n');
  });
});
