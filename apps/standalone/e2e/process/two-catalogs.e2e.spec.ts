import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Site, type BootedCatalog } from '../testing/catalog/booted-catalog';

/** An update runs two catalogs for a short time: the old one stops while the new one starts. */
describe('two catalogs that start at once on an empty database', () => {
  let site: Site;
  let catalogs: readonly BootedCatalog[];

  beforeEach(async () => {
    site = await Site.create();
    catalogs = await Promise.all([site.boot(), site.boot()]);
  });
  afterEach(async () => {
    await site.remove();
  });

  it('number the versions of an aspect together, without gap or repeat, and find each other’s writes', async () => {
    const urn = 'urn:li:tag:shared';
    const values = Array.from({ length: 40 }, (_, at) => `value ${String(at)}`);
    const positions = await Promise.all(
      values.map(async (description, at) =>
        catalogs[at % 2]?.http.write(urn, 'tagProperties', { name: 'shared', description }),
      ),
    );

    const stored = await Promise.all(
      values.map(
        async (_, at) =>
          (await catalogs[at % 2]?.deps.store.readVersion(urn, 'tagProperties', at + 1))?.value,
      ),
    );
    const described = stored.map(
      (value) => (JSON.parse(value ?? '{}') as { description?: string }).description,
    );
    expect([...described].sort()).toEqual([...values].sort());
    for (const [at, { http }] of catalogs.entries()) {
      const waitFor = positions.at(-1 - at);
      expect((await http.find('shared', { entity: 'tag', waitFor })).urns).toEqual([urn]);
    }
  });

  it('continue when one of them ends', async () => {
    await catalogs[0]?.stop();
    const position = await catalogs[1]?.http.write('urn:li:tag:alone', 'tagProperties', { name: 'alone' });
    expect((await catalogs[1]?.http.find('alone', { entity: 'tag', waitFor: position }))?.total).toBe(1);
  });
});
