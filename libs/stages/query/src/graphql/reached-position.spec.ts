import { describe, expect, it } from '@jest/globals';
import type { WireReply } from '@stratalog/http';
import { ReachedPosition } from './reached-position';

const STORE = { storeId: 'a'.repeat(32), epoch: 1 };

describe('the position of an answer', () => {
  it('is the lowest of all its queries, whichever comes last', () => {
    const headers = new Map<string, unknown>();
    const reply = { header: (name: string, value: unknown) => headers.set(name, value) };
    const reached = new ReachedPosition(reply as unknown as WireReply);
    const shown = (): unknown[] =>
      ['x-stratalog-position', 'x-stratalog-lag'].map((each) => headers.get(each));
    reached.reads(
      {
        ...STORE,
        seqs: new Map([
          [0, 5],
          [1, 9],
          [2, 1],
        ]),
      },
      2,
    );
    expect(shown()).toEqual(['aaaaaaaa.1.0:5,1:9,2:1', '2']);
    reached.reads(
      {
        ...STORE,
        seqs: new Map([
          [0, 7],
          [1, 3],
        ]),
      },
      0,
    );
    expect(shown()).toEqual(['aaaaaaaa.1.0:5,1:3', '2']);
  });
});
