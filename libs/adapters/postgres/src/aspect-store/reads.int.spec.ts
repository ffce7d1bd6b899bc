import { describe, expect, it } from '@jest/globals';
import { datasetUrn } from '@stratalog/testkit';
import { ASPECT, useTestedStore } from '../testing/tested-store.fixture';

describe('PostgresAspectStore', () => {
  const tested = useTestedStore();
  const { urn, aspectName } = ASPECT;

  it('keeps every version and answers the latest', async () => {
    await tested.write('{"a":1}', 0);
    await tested.write('{"a":2}', 1);

    const entity = await tested.store.readEntity(urn);
    expect(entity?.aspects).toEqual([
      expect.objectContaining({
        name: aspectName,
        version: 2,
        value: '{"a":2}',
        systemMetadata: { runId: 'run-1' },
      }),
    ]);
    expect(entity?.seq).toBe(2);
    expect((await tested.store.readVersion(urn, aspectName, 1))?.value).toBe('{"a":1}');
    expect((await tested.store.readVersion(urn, aspectName, -2))?.version).toBe(1);
    expect((await tested.store.readVersion(urn, aspectName, -1))?.version).toBe(2);
    expect(await tested.store.readVersion(urn, aspectName, 3)).toBeUndefined();
    expect(await tested.store.readVersion(urn, aspectName, -3)).toBeUndefined();
  });

  it('reads the sizes of latest values in bytes, and 0 for those that do not exist', async () => {
    await tested.write('{"a":"日本"}', 0);
    await tested.write('{"a":"é"}', 1);
    const asked = [{ urn, aspectName: 'status' }, ASPECT, { urn: datasetUrn('none'), aspectName }];
    expect(await tested.store.readSizes(asked)).toEqual([0, Buffer.byteLength('{"a":"é"}'), 0]);
  });

  it('returns nothing for unknown urns and aspects', async () => {
    expect(await tested.store.readEntity(urn)).toBeUndefined();
    expect(await tested.store.readEntities([urn])).toEqual({ entities: [], rest: [] });
    expect(await tested.store.readVersion(urn, aspectName, 1)).toBeUndefined();
    expect((await tested.store.readPartitionSequences()).size).toBe(0);
  });

  it('keeps text exactly: 64-bit integers, escaped NUL, quotes, backslashes, any script', async () => {
    const value =
      '{"big":9223372036854775807,"nul":"\\u0000","quote":"\\"","path":"C:\\\\x","text":"日本 😀 é"}';
    await tested.write(value, 0);
    expect((await tested.store.readEntity(urn))?.aspects[0]?.value).toBe(value);
    expect((await tested.store.readVersion(urn, aspectName, 1))?.value).toBe(value);
  });

  it('answers the named aspects only, and the entity even when it has none of them', async () => {
    await tested.append(urn, { status: '{}', ownership: '{}' });
    const named = await tested.store.readEntity(urn, ['ownership']);
    expect(named?.aspects.map(({ name }) => name)).toEqual(['ownership']);
    expect(await tested.store.readEntity(urn, ['globalTags'])).toEqual({
      urn,
      seq: 2,
      deleted: false,
      aspects: [],
    });
  });

  it('reads many entities at once', async () => {
    const urns = ['a', 'b', 'c'].map(datasetUrn);
    for (const each of urns) {
      await tested.append(each, { [aspectName]: '{}' });
    }
    const { entities, rest } = await tested.store.readEntities([...urns, datasetUrn('none')]);
    expect(rest).toEqual([]);
    expect(entities.map((entity) => entity.urn).sort()).toEqual(urns);
    expect(await tested.store.urnsAfter(undefined, 2)).toEqual(urns.slice(0, 2));
    expect(await tested.store.urnsAfter(urns[1], 2)).toEqual(urns.slice(2));
  });

  it('reads the named aspects of many entities', async () => {
    const [one, other] = ['one', 'other'].map(datasetUrn) as [string, string];
    for (const each of [one, other]) {
      await tested.append(each, each === one ? { [aspectName]: '{}', status: '{}' } : { [aspectName]: '{}' });
    }
    const { entities } = await tested.store.readEntities([one, other], ['status']);
    expect(entities.map((entity) => [entity.urn, entity.aspects.map(({ name }) => name)])).toEqual([
      [one, ['status']],
      [other, []],
    ]);
  });

  it('finds the soft-deleted ones of many urns', async () => {
    const [gone, back, plain, other] = ['gone', 'back', 'plain', 'other'].map(datasetUrn) as [
      string,
      string,
      string,
      string,
    ];
    await tested.append(gone, { status: '{"removed":true}' });
    await tested.append(back, { status: '{"removed":false}' });
    await tested.append(plain, { [aspectName]: '{}' });
    await tested.append(other, { ownership: '{"removed":true}' });
    const urns = [other, back, datasetUrn('none'), gone, plain];
    expect(await tested.store.filterSoftDeleted(urns)).toEqual([gone]);
    expect(await tested.store.filterSoftDeleted([plain])).toEqual([]);
    expect(await tested.store.filterSoftDeleted([])).toEqual([]);
  });

  it('bounds the size of one read and leaves the rest to the next', async () => {
    const urns = ['a', 'b', 'c', 'd'].map((name) => datasetUrn(`large-${name}`));
    for (const each of urns) {
      const value = JSON.stringify({ description: 'x'.repeat(12 * 1024 * 1024) });
      await tested.append(each, { [aspectName]: value });
    }
    const read: string[] = [];
    for (let left: readonly string[] = urns; left.length > 0;) {
      const page = await tested.store.readEntities(left);
      expect(page.entities.length).toBeGreaterThan(0);
      expect(page.entities.length).toBeLessThan(urns.length);
      read.push(...page.entities.map((entity) => entity.urn));
      left = page.rest;
    }
    expect(read).toEqual(urns);
  });

  it('lists and counts entities', async () => {
    const urns = ['a', 'b_c', 'bxc', 'd'].map(datasetUrn);
    for (const each of urns) {
      await tested.append(each, { [aspectName]: '{}' });
    }
    const prefix = 'urn:li:dataset:';
    expect(await tested.store.urnsWith({ prefix, start: 1, count: 2 })).toEqual({
      urns: urns.slice(1, 3),
      total: 4,
    });
    expect(await tested.store.urnsWith({ prefix, start: 9, count: 2 })).toEqual({ urns: [], total: 4 });
    expect(await tested.store.urnsWith({ prefix: 'urn:li:data', start: 0, count: 0 })).toEqual({
      urns: [],
      total: 4,
    });
    expect(await tested.store.urnsWith({ prefix: 'urn:li:tag:', start: 0, count: 9 })).toEqual({
      urns: [],
      total: 0,
    });

    const counts = ['%', 'urn:li:dataset:%', '%b_c%', '%b\\_c%', urns[0] ?? '', 'urn:li:tag:%'].map((like) =>
      tested.store.countAspects(aspectName, like),
    );
    expect(await Promise.all(counts)).toEqual([4, 4, 2, 1, 1, 0]);
    expect(await tested.store.countAspects(aspectName)).toBe(4);
    expect(await tested.store.countAspects('status')).toBe(0);
  });
});
