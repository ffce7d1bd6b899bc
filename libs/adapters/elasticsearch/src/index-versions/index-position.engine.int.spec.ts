import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@stratalog/model';
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
});
