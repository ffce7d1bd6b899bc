import { beforeEach, describe, expect, it } from '@jest/globals';
import type { SchemaStore } from '@stratalog/ports';
import { PostgresSchemaStore } from './schema-store';
import { useSuiteDatabase } from '../testing/suite-database';

describe('SchemaStore', () => {
  const suite = useSuiteDatabase();
  const open = (): SchemaStore => new PostgresSchemaStore(suite.database);
  let store: SchemaStore;

  beforeEach(async () => {
    await suite.database.use((client) => client.query('truncate registered_schema cascade'));
    store = open();
  });

  const schema = (digits: string, text = `"${digits}"`) => ({ text, fingerprint: digits.padEnd(64, '0') });

  it('gives a schema one id and one version in each subject, however often it comes', async () => {
    const first = await store.register('a-value', schema('1234567890'));
    expect(first).toEqual({ subject: 'a-value', version: 1, id: 0x12345678, text: '"1234567890"' });
    expect(await store.register('a-value', schema('1234567890', ' "other spelling" '))).toEqual(first);
    expect(await store.register('b-value', schema('1234567890'))).toEqual({ ...first, subject: 'b-value' });
    expect(await open().register('a-value', schema('1234567890'))).toEqual(first);
  });

  it('counts the versions of each subject', async () => {
    await store.register('a-value', schema('11111111'));
    const second = await store.register('a-value', schema('22222222'));
    expect((await store.register('b-value', schema('22222222'))).version).toBe(1);
    expect((await store.versions('a-value')).map(({ version, text }) => [version, text])).toEqual([
      [1, '"11111111"'],
      [2, '"22222222"'],
    ]);
    expect(second.version).toBe(2);
  });

  it('gives each schema an id of its own where fingerprints begin alike, and none beyond 31 bits', async () => {
    const digits = ['ffffffff', 'ffffffff1', '7fffffff2', '000000003', '800000004'];
    const ids = [];
    for (const each of digits) ids.push((await store.register('a-value', schema(each))).id);
    expect(ids).toEqual([0x7fffffff, 1, 2, 3, 4]);
  });

  it('gives one id to those who register at the same moment', async () => {
    const racing = Array.from({ length: 12 }, (_, at) =>
      open().register(`s${String(at % 3)}-value`, schema(['55555555', '66666666'][at % 2] ?? '')),
    );
    const done = await Promise.all(racing);
    expect(new Set(done.map(({ id }) => id))).toEqual(new Set([0x55555555, 0x66666666]));
    for (const subject of ['s0-value', 's1-value', 's2-value']) {
      expect((await store.versions(subject)).map(({ version }) => version)).toEqual([1, 2]);
    }
  });

  it('finds by subject, by id and by schema', async () => {
    const known = await store.register('b-value', schema('77777777'));
    await store.register('B-key', schema('77777777'));
    expect(await store.find('b-value', schema('77777777').fingerprint)).toEqual(known);
    expect(await store.find('b-value', schema('88888888').fingerprint)).toBeUndefined();
    expect(await store.find('c-value', schema('77777777').fingerprint)).toBeUndefined();
    expect([await store.schema(known.id), await store.schema(5)]).toEqual(['"77777777"', undefined]);
    expect(await store.subjects()).toEqual(['B-key', 'b-value']);
    expect(await store.versions('c-value')).toEqual([]);
    expect((await store.countUses(known.id)).map(({ subject }) => subject).sort()).toEqual([
      'B-key',
      'b-value',
    ]);
    expect(await store.countUses(5)).toEqual([]);
  });
});
