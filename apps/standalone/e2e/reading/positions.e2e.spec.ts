import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { formatPosition, parsePosition, type Position } from '@stratalog/domain';
import { ingestStage } from '@stratalog/stages-ingest';
import { queryStage } from '@stratalog/stages-query';
import { writerStage } from '@stratalog/stages-writer';
import type { Answer } from '../testing/catalog/raw-http';
import { Site, type BootedCatalog } from '../testing/catalog/booted-catalog';
import { at } from '../testing/catalog/catalog-client';

const urnOf = (n: number): string => `urn:li:tag:position-${String(n)}`;
const inTags = (waitFor?: string) => ({ entity: 'tag', waitFor });

describe('a position', () => {
  let site: Site;
  let catalog: BootedCatalog;
  beforeAll(async () => {
    site = await Site.create();
    catalog = await site.boot();
  });
  afterAll(async () => {
    await site.remove();
  });

  const read = (token: string | undefined): Position => {
    const position = parsePosition(token ?? '');
    if (position === undefined) throw new Error(`${String(token)} is no position`);
    return position;
  };

  it('comes with each write and lets a search find it at once', async () => {
    for (let n = 0; n < 25; n++) {
      const waitFor = await catalog.http.write(urnOf(n), 'tagProperties', { name: `marker${String(n)}` });
      expect(await catalog.http.find(`marker${String(n)}`, inTags(waitFor))).toEqual({
        total: 1,
        urns: [urnOf(n)],
      });
    }
  });

  it('may stand in the address, where a person can add it', async () => {
    const { http } = catalog;
    const search = (wait: string): Promise<Answer> =>
      http.post(
        `/entities?action=search&wait=${encodeURIComponent(wait)}`,
        '{"entity":"tag","input":"addressed","start":0,"count":1}',
      );
    const position = await http.write(urnOf(50), 'tagProperties', { name: 'addressed' });
    const found = await search(position);
    expect([found.status, at(found.json, 'value', 'numEntities')]).toEqual([200, 1]);
    expect(found.headers['x-stratalog-warnings']).toBeUndefined();
    const related = `/relationships?urn=${encodeURIComponent(urnOf(50))}&types=List(TaggedWith)&direction=INCOMING`;
    expect((await http.get(`${related}&wait=${encodeURIComponent(position)}`)).status).toBe(200);
    const wrong = await search('yesterday');
    expect([wrong.status, at(wrong.json, 'message')]).toEqual([
      400,
      "Parameter 'wait': not a position; send one as X-Stratalog-Position gave it",
    ]);
  });

  it('names the urn’s own partition and last sequence number, also without a change', async () => {
    const { store } = catalog.deps;
    const first = await catalog.http.write(urnOf(100), 'tagProperties', { name: 'first' });
    const again = await catalog.http.write(urnOf(100), 'tagProperties', { name: 'first' });
    expect(again).toBe(first);
    const { storeId, epoch, seqs } = read(first);
    expect([store.identity.storeId.startsWith(storeId), epoch]).toEqual([true, store.identity.epoch]);
    expect([...seqs.values()]).toEqual([(await store.readEntity(urnOf(100)))?.seq]);
    for (const [partition, seq] of seqs)
      expect((await store.readPartitionSequences()).get(partition)).toBe(seq);
  });

  it('can cover several writes', async () => {
    const tokens = await Promise.all(
      [200, 201, 202, 203].map((n) => catalog.http.write(urnOf(n), 'tagProperties', { name: 'together' })),
    );
    const positions = tokens.map(read);
    const seqs = new Map(positions.flatMap((position) => [...position.seqs]).sort((a, b) => a[1] - b[1]));
    const [first] = positions;
    if (first === undefined) throw new Error('there was no write');
    const waitFor = formatPosition({ ...first, seqs });
    expect((await catalog.http.find('together', inTags(waitFor))).total).toBe(4);
  });

  it('comes with each search, together with its lag', async () => {
    const waitFor = await catalog.http.write(urnOf(300), 'status', { removed: false });
    const answer = await catalog.http.search('*', inTags(waitFor));
    const reached = read(answer.headers['x-stratalog-position']);
    const sequences = await catalog.deps.store.readPartitionSequences();
    expect(answer.headers['x-stratalog-lag']).toBe('0');
    expect(reached.seqs).toEqual(sequences);
    expect((await catalog.http.find('*', inTags(answer.headers['x-stratalog-position']))).total).toBe(32);
  });

  describe('that is invalid', () => {
    it.each([
      ['a word', () => 'yesterday', 'not a position'],
      ['nothing', () => '', 'not a position'],
      ['a cut token', (token: string) => token.slice(0, -1).replace(/:\d*$/, ':'), 'not a position'],
      ['a token of another store', (token: string) => token.replace(/^./, flipped), 'of another store'],
      ['a token of another epoch', (token: string) => token.replace(/\.1\./, '.2.'), 'of another store'],
      ['a token ahead of the store', (token: string) => `${token}0`, 'lies ahead of the store'],
      [
        'a token of no partition',
        (token: string) => token.replace(/\.\d+:/, '.99999:'),
        'lies ahead of the store',
      ],
      ['two tokens', (token: string) => `${token}, ${token}`, 'not a position'],
      [
        'a number beyond all',
        (token: string) => token.replace(/:\d+$/, ':9999999999999999'),
        'not a position',
      ],
    ])('is rejected: %s', async (_name, change, message) => {
      const token = await catalog.http.write(urnOf(400), 'tagProperties', { name: 'tampered' });
      const answer = await catalog.http.search('*', inTags(change(token)));
      expect(answer.status).toBe(400);
      expect(at(answer.json, 'message')).toContain('Header X-Stratalog-Wait-For: ');
      expect(at(answer.json, 'message')).toContain(message);
    });
  });

  it('a position that the index does not reach in time is a 503 with the position of the index', async () => {
    await catalog.stop();
    // The catalog still writes and searches without its indexer.
    catalog = await site.boot({
      stages: [ingestStage, queryStage, writerStage],
      environment: { STRATALOG_POSITION_TIMEOUT_MS: '100' },
    });
    const before = await catalog.http.search('*', inTags());
    expect(before.headers['x-stratalog-lag']).toBe('0');
    await catalog.http.write(urnOf(500), 'tagProperties', { name: 'late' });
    const waitFor = await catalog.http.write(urnOf(500), 'status', { removed: false });

    const late = await catalog.http.search('late', inTags(waitFor));
    expect([late.status, late.headers['retry-after']]).toEqual([503, '1']);
    expect(Object.keys(late.json as object).sort()).toEqual([
      'exceptionClass',
      'message',
      'stackTrace',
      'status',
    ]);
    expect(at(late.json, 'message')).toBe('The search index is 3 changes behind the position after 100 ms');

    const behind = await catalog.http.search('late', inTags());
    expect([behind.status, behind.headers['x-stratalog-lag']]).toEqual([200, '3']);
    expect(at(behind.json, 'value', 'numEntities')).toBe(0);
    expect(behind.headers['x-stratalog-position']).toBe(before.headers['x-stratalog-position']);

    await catalog.stop();
    catalog = await site.boot();
    expect(await catalog.http.find('late', inTags(waitFor))).toEqual({ total: 1, urns: [urnOf(500)] });
  });
});

function flipped(digit: string): string {
  return digit === '0' ? '1' : '0';
}
