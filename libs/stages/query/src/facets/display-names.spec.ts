import { describe, expect, it } from '@jest/globals';
import type { SearchIndex } from '@stratalog/ports';
import { DisplayNames, type NamedIndex } from './display-names';

const AT_5 = new Map([[0, 5]]);
const AT_6 = new Map([[0, 6]]);

/** An index with the names of two entities, which records what is read from it. */
function openIndex(
  name = 'version-1',
): NamedIndex & { readonly reads: readonly string[][]; rename(to: string): void } {
  const reads: string[][] = [];
  let orders = 'Orders';
  return {
    name,
    reads,
    rename: (to) => {
      orders = to;
    },
    readValues: (urns) => {
      reads.push([...urns]);
      const values: Awaited<ReturnType<SearchIndex['readValues']>> = new Map([
        ['urn:li:tag:orders', { name: [orders] }],
        ['urn:li:tag:plain', { description: ['no name'] }],
      ]);
      return Promise.resolve(new Map([...values].filter(([urn]) => urns.includes(urn))));
    },
  };
}

describe('DisplayNames', () => {
  it('reads each name once while the index stays at its position, also that there is none', async () => {
    const index = openIndex();
    const names = new DisplayNames();
    const both = ['urn:li:tag:orders', 'urn:li:tag:plain'];
    const expected = new Map([['urn:li:tag:orders', 'Orders']]);
    expect(await names.of(index, AT_5, both)).toEqual(expected);
    expect(await names.of(index, new Map(AT_5), [...both, 'urn:li:tag:unknown'])).toEqual(expected);
    expect(await names.of(index, AT_5, ['urn:li:tag:unknown'])).toEqual(new Map());
    expect(index.reads).toEqual([both, ['urn:li:tag:unknown']]);
  });

  it('reads names again when the index has moved', async () => {
    const index = openIndex();
    const names = new DisplayNames();
    await names.of(index, AT_5, ['urn:li:tag:orders']);
    index.rename('All orders');
    expect(await names.of(index, AT_6, ['urn:li:tag:orders'])).toEqual(
      new Map([['urn:li:tag:orders', 'All orders']]),
    );
  });

  it('reads names again from another index version', async () => {
    const names = new DisplayNames();
    await names.of(openIndex(), AT_5, ['urn:li:tag:orders']);
    const next = openIndex('version-2');
    next.rename('All orders');
    expect(await names.of(next, AT_5, ['urn:li:tag:orders'])).toEqual(
      new Map([['urn:li:tag:orders', 'All orders']]),
    );
  });

  it('returns no more than 500 names, however many are cached', async () => {
    const names = new DisplayNames();
    const urns = Array.from({ length: 600 }, (_, at) => `urn:li:tag:${String(at)}`);
    const index: NamedIndex = {
      name: 'version-1',
      readValues: (some) => Promise.resolve(new Map(some.map((urn) => [urn, { name: [urn] }]))),
    };
    expect((await names.of(index, AT_5, urns)).size).toBe(500);
    await names.of(index, AT_5, urns.slice(500));
    expect([...(await names.of(index, AT_5, urns)).keys()]).toEqual(urns.slice(0, 500));
  });
});
