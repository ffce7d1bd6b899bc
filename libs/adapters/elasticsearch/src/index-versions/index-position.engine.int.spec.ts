import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openSearchEngine } from '../engine/open-search-engine';
import type { SearchEngine } from '../engine/search-engine';
import { ENGINES, removeIndices, scratchPrefix } from '../engine/test-engines';
import { IndexPosition } from './index-position';

describe.each(ENGINES)('the checkpoint of an index version on $name', ({ url }) => {
  const indexPrefix = scratchPrefix();
  const clock = { ms: 0 };
  let engine: SearchEngine;
  let writer: IndexPosition;
  let reader: IndexPosition;
  let versions = 0;

  beforeAll(async () => {
    engine = await openSearchEngine({ url, indexPrefix });
  });
  afterAll(async () => {
    await removeIndices(engine);
    await engine.close();
  });
  beforeEach(() => {
    const id = String(++versions);
    writer = new IndexPosition(engine, id);
    reader = new IndexPosition(engine, id, () => clock.ms);
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
