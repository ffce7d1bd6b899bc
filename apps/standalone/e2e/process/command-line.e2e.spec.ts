import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SETTINGS, SETTING_GROUPS } from '@stratalog/runtime';
import { Site } from '../testing/catalog/booted-catalog';
import { catalogsForSuite, type CatalogProcess } from '../testing/catalog/catalog-process';

const DEMO_KINDS =
  'dataset dashboard chart corpuser corpGroup tag glossaryTerm glossaryNode container domain dataProduct dataFlow dataJob assertion incident mlModel mlFeature test'.split(
    ' ',
  );
/** The searches on the demo's page: entity type, query text, and first hit. */
const DEMO_SEARCHES = [
  ['dataset', 'orders', 'urn:li:dataset:(urn:li:dataPlatform:postgres,shop.public.orders,PROD)'],
  ['dataJob', 'stock', 'urn:li:dataJob:(urn:li:dataFlow:(airflow,hourly_events,PROD),land_stock_movements)'],
  ['assertion', 'ledger', 'urn:li:assertion:revenue-matches-the-ledger'],
  ['domain', 'margins', 'urn:li:domain:sales'],
  ['mlFeature', '"last order"', 'urn:li:mlFeature:(buying_rhythm,days_since_last_order)'],
  ['incident', 'scanner', 'urn:li:incident:stock-scanner-offline'],
] as const;

/** Two starts of the program and thirty searches, on a machine that runs other suites at the same time. */
const TWO_STARTS_MS = limitMs(300_000);

describe('the command line of the program', () => {
  const { folder, start: startOn } = catalogsForSuite();
  let site: Site;
  beforeAll(async () => {
    site = await Site.create();
  });
  afterAll(() => site.remove());

  const start = (settings: Readonly<Record<string, string>>, ...args: string[]): CatalogProcess =>
    startOn({ DATABASE_URL: site.databaseUrl, ...settings }, args);

  it('explains itself and ten settings with --help, and every setting in its group with --help-all', async () => {
    const { code, stdout, stderr } = await start({}, '--help').ended;
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('Usage: npm start -- [--demo]');
    const listed = SETTINGS.filter(({ name }) => stdout.includes(`  ${name}\n`));
    expect(listed).toHaveLength(10);
    expect(stdout).toContain(`There are ${String(SETTINGS.length - 10)} more: --help-all lists them.`);
    const all = (await start({}, '--help-all').ended).stdout;
    for (const { title, settings } of SETTING_GROUPS) {
      const [, group = ''] = all.split(`\n${title}\n\n`);
      for (const { name, allowed } of settings) {
        expect(group).toContain(`  ${name}\n`);
        expect(group).toContain(`Allowed: ${allowed}`);
      }
    }
  });

  it('says what was meant when npm has taken an option for its own', async () => {
    const { code, stdout, stderr } = await start({ npm_config_demo: 'true' }).ended;
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('npm start -- --demo is meant');
  });

  it('rejects unknown arguments', async () => {
    const { code, stdout, stderr } = await start({}, '--nonsense').ended;
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(
      /^stratalog: Unknown option '--nonsense'.* \(npm start -- --help lists what there is\)\n$/,
    );
  });

  it('does not start with a wrong setting', async () => {
    const { code, stdout, stderr } = await start({ STRATALOG_PORT: 'http' }).ended;
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe('stratalog: STRATALOG_PORT is "http"; allowed: an integer from 0 to 65535\n');
  });

  it(
    'loads a sample catalog with --demo, once, on the server of DATABASE_URL',
    async () => {
      const first = start({}, '--demo');
      const client = await first.client();
      await client.caughtUp();
      const counts = await Promise.all(
        DEMO_KINDS.map(async (entity) => [entity, (await client.find('*', { entity })).total]),
      );
      expect(counts.filter(([, count]) => count === 0)).toEqual([]);
      for (const [entity, query, first] of DEMO_SEARCHES) {
        const { urns } = await client.find(query, { entity });
        expect({ query, first: urns[0] }).toEqual({ query, first });
      }
      const { 'x-stratalog-position': position } = (await client.search('*')).headers;
      expect(await first.stop('SIGTERM')).toMatchObject({ code: 0 });
      // With an external server there is no embedded one.
      expect(folder.processes()).toEqual([]);

      const second = start({ STRATALOG_PROT: '80' }, '--demo');
      const again = await second.client();
      await again.caughtUp();
      expect((await again.search('*')).headers['x-stratalog-position']).toBe(position);
      const ending = await second.stop('SIGTERM');
      expect(ending.code).toBe(0);
      expect(ending.stderr).toContain('"name":"STRATALOG_PROT"');
    },
    TWO_STARTS_MS,
  );
});
