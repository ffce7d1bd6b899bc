import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { OffsetConflictError, UnavailableError } from '@stratalog/domain';
import { openSearchEngine } from '../engine/open-search-engine';
import type { SearchEngine } from '../engine/search-engine';
import { ENGINES, removeIndices, scratchPrefix } from '../engine/test-engines';
import { MetaDocument } from '../engine/meta-document';
import { IndexPosition } from './index-position';
import { SEARCH_VERSIONS, VersionRegistry } from './version-registry';

const IDENTITY = { storeId: 'b'.repeat(32), epoch: 1, mapping: 'm' };

describe.each(ENGINES)('the checkpoint of an index version on $name', ({ url }) => {
  const indexPrefix = scratchPrefix();
  const clock = { ms: 0 };
  let engine: SearchEngine;
  let writer: IndexPosition;
  let reader: IndexPosition;
  let versions = 0;
  let id = '';

  beforeAll(async () => {
    engine = await openSearchEngine({ url, indexPrefix });
  });
  afterAll(async () => {
    await removeIndices(engine);
    await engine.close();
  });
  beforeEach(async () => {
    id = String(++versions);
    await registry().add({ id, identity: IDENTITY, layout: 1, state: 'building' });
    writer = new IndexPosition(engine, SEARCH_VERSIONS, id);
    reader = new IndexPosition(engine, SEARCH_VERSIONS, id, () => clock.ms);
  });
  const registry = (): VersionRegistry => new VersionRegistry(engine, SEARCH_VERSIONS);

  it('stands still once its version is retired', async () => {
    await writer.moveTo(new Map([[0, 1]]));
    await registry().change(id, (version) => ({ ...version, state: 'retired' }));
    await expect(writer.moveTo(new Map([[0, 2]]))).rejects.toThrow(UnavailableError);
    expect(await reader.read()).toEqual(new Map([[0, 1]]));
  });

  it('is read where releases before have left it', async () => {
    const stored = new MetaDocument<{ readonly seqs: Readonly<Record<string, number>> }>(
      engine,
      `position-${id}`,
    );
    await stored.change(() => ({ seqs: { 3: 8 } }));
    expect(await reader.read()).toEqual(new Map([[3, 8]]));
  });

  it('is read again for searches after a tenth of a second', async () => {
    await writer.moveTo(new Map([[0, 1]]));
    expect(await reader.readRecent()).toEqual(new Map([[0, 1]]));
    await writer.moveTo(new Map([[0, 2]]));
    clock.ms += 99;
    expect(await reader.readRecent()).toEqual(new Map([[0, 1]]));
    clock.ms += 1;
    expect(await reader.readRecent()).toEqual(new Map([[0, 2]]));
  });

  it('covers for searches what another read has returned', async () => {
    expect(await reader.readRecent()).toEqual(new Map());
    await writer.moveTo(new Map([[0, 2]]));
    expect(await reader.read()).toEqual(new Map([[0, 2]]));
    expect(await reader.readRecent()).toEqual(new Map([[0, 2]]));
  });

  it('covers for searches what was written here, and never moves back', async () => {
    await reader.readRecent();
    await reader.moveTo(new Map([[0, 3]]));
    await reader.moveTo(new Map([[1, 1]]));
    await reader.moveTo(new Map([[0, 1]]));
    expect(await reader.readRecent()).toEqual(
      new Map([
        [0, 3],
        [1, 1],
      ]),
    );
  });

  it('tells that the engine was put back to an older state, and then follows it from there', async () => {
    const before = new Map([[0, 3]]);
    await writer.moveTo(before);
    await writer.moveTo(new Map([[0, 5]]));
    await reader.read();
    await registry().change(id, (version) => ({ ...version, seqs: { 0: 3 } }));
    await expect(writer.moveTo(new Map([[0, 6]]))).rejects.toBeInstanceOf(OffsetConflictError);
    expect([await reader.read(), await writer.read()]).toEqual([before, before]);
    await writer.moveTo(new Map([[0, 4]]));
    expect(await reader.read()).toEqual(new Map([[0, 4]]));
  });
});
