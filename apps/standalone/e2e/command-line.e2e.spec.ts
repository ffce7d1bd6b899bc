import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { SETTINGS } from '@stratalog/runtime';
import { Site } from './testing/booted-catalog';
import { CatalogProcess, DataFolder, buildProgram } from './testing/catalog-process';

describe('the command line of the program', () => {
  const folder = new DataFolder();
  let site: Site;
  let running: CatalogProcess | undefined;
  beforeAll(async () => {
    buildProgram();
    site = await Site.create();
  });
  afterEach(async () => {
    await running?.end('SIGKILL');
  });
  afterAll(async () => {
    await site.remove();
    folder.remove();
  });

  const start = (settings: Readonly<Record<string, string>>, ...args: string[]): CatalogProcess =>
    (running = new CatalogProcess(
      { ...folder.environment, DATABASE_URL: site.databaseUrl, ...settings },
      args,
    ));

  it('explains itself and every setting with --help', async () => {
    const { code, stdout, stderr } = await start({}, '--help').ended;
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('Usage: npm start -- [--demo]');
    for (const { name, allowed } of SETTINGS) {
      expect(stdout).toContain(`  ${name}\n`);
      expect(stdout).toContain(`Allowed: ${allowed}`);
    }
  });

  it('refuses what it does not know', async () => {
    const { code, stdout, stderr } = await start({}, '--nonsense').ended;
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain("Unknown option '--nonsense'");
    expect(stderr).toContain('Usage: npm start -- [--demo]');
  });

  it('stops the start for a setting that is wrong', async () => {
    const { code, stdout, stderr } = await start({ STRATALOG_PORT: 'http' }).ended;
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe('stratalog: STRATALOG_PORT is "http"; allowed: an integer from 0 to 65535\n');
  });

  it('loads a sample catalog with --demo, once, on the server of DATABASE_URL', async () => {
    const first = start({}, '--demo');
    const client = await first.client();
    await client.caughtUp();
    const counts = await Promise.all(
      ['dataset', 'dashboard', 'chart', 'corpuser', 'tag', 'glossaryTerm', 'container', 'mlModel'].map(
        async (entity) => (await client.find('*', { entity })).total,
      ),
    );
    expect(counts.every((count) => count > 0)).toBe(true);
    expect((await client.find('orders')).total).toBeGreaterThan(0);
    const { 'x-stratalog-position': position } = (await client.search('*')).headers;
    expect(await first.end('SIGTERM')).toMatchObject({ code: 0 });
    // With a server of its own there is none of ours.
    expect(folder.processes()).toEqual([]);

    const second = start({ STRATALOG_PROT: '80' }, '--demo');
    const again = await second.client();
    await again.caughtUp();
    expect((await again.search('*')).headers['x-stratalog-position']).toBe(position);
    const ending = await second.end('SIGTERM');
    expect(ending.code).toBe(0);
    expect(ending.stderr).toContain('"name":"STRATALOG_PROT"');
  });
});
