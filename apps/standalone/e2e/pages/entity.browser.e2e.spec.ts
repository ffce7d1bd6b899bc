import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { allFindings } from '../testing/browser/browser';
import { until } from '@stratalog/testkit';
import { CUSTOMERS, SALES_DAILY, entityPath, pagesForSuite } from '../testing/browser/pages-suite';
import { SENSOR_MODEL, modelFolder } from '../testing/data/sensor-model';
import {
  aTypeOfAUsersOwnHasAPage,
  columnsNarrow,
  historyShowsTwoWrites,
  tabOf,
  theHeaderAnswers,
} from './checks/entity';

const WIDE = 'urn:li:dataset:(urn:li:dataPlatform:hive,wide,PROD)';
const SCHEMA = {
  schemaName: 'any',
  platform: 'urn:li:dataPlatform:hive',
  version: 0,
  hash: '',
  platformSchema: { 'com.linkedin.schema.OtherSchema': { rawSchema: '' } },
};

describe('the page of an entity', () => {
  const folders = mkdtempSync(join(tmpdir(), 'stratalog-own-model-'));
  const suite = pagesForSuite({
    hasDemo: true,
    environment: { STRATALOG_MODELS: modelFolder(folders, 'own', SENSOR_MODEL) },
  });
  afterAll(() => {
    rmSync(folders, { recursive: true });
  });

  it('the header answers whose it is, where it belongs and what it feeds', () => theHeaderAnswers(suite));

  it('every tab has its address, and says what it knows', async () => {
    const page = await suite.open(entityPath(SALES_DAILY));
    for (const [name, path, text] of [
      ['Columns', 'columns', 'net_revenue_eur'],
      ['History', 'history', 'written for the first time'],
      ['Quality', 'quality', 'differs from the ledger'],
      ['Usage', 'usage', 'Queries per day'],
      ['Relations', 'relations', 'DIM_CUSTOMER'],
      ['JSON', 'json', 'schemaMetadata'],
    ] as const) {
      await tabOf(suite, name).click();
      await page.waitForURL(`**/${path}`);
      await page.locator('article').getByText(text).first().waitFor();
    }
  });

  it('columns narrow by a chip and by words, and their panel has an address', () => columnsNarrow(suite));

  it('lineage is one click away, at the time that the page shows', async () => {
    const now = new Date().toISOString();
    const page = await suite.open(entityPath(CUSTOMERS, `/columns?column=email&at=${now}`));
    await page.getByRole('link', { name: 'All that it feeds' }).click();
    await page.waitForURL(
      (url) =>
        decodeURIComponent(url.pathname) === `/ui/lineage/${CUSTOMERS}` &&
        ['dir', 'column'].map((name) => url.searchParams.get(name)).join() === 'down,email' &&
        url.searchParams.has('at'),
    );
    await page.getByRole('button', { name: 'Expand' }).waitFor();
    await page.getByRole('heading', { level: 1 }).getByRole('link').click();
    await page.getByRole('button', { name: 'Collapse' }).waitFor();
    await tabOf(suite, 'Lineage').click();
    await page.getByRole('heading', { level: 1, name: /customers$/ }).waitFor();
  });

  it('the header says how the checks did at their last run', async () => {
    // The last night of the sample may have failed.
    const nowMs = Date.now();
    const run = (name: string, timestampMillis: number, type: 'SUCCESS' | 'FAILURE') => {
      const assertionUrn = `urn:li:assertion:${name}`;
      return suite.catalog.http.write(assertionUrn, 'assertionRunEvent', {
        ...{ timestampMillis, runId: String(timestampMillis), status: 'COMPLETE' },
        ...{ asserteeUrn: SALES_DAILY, assertionUrn, result: { type } },
      });
    };
    await run('sales-daily-is-fresh', nowMs - 1, 'SUCCESS');
    await run('revenue-matches-the-ledger', nowMs - 1, 'SUCCESS');
    const page = await suite.open(entityPath(SALES_DAILY));
    await page.getByRole('link', { name: '2 of 2 checks passed' }).waitFor();
    await run('sales-daily-is-fresh', nowMs, 'FAILURE');
    await page.reload();
    await page.getByRole('link', { name: '1 of 2 checks failed' }).click();
    await page.waitForURL(/\/quality$/);
  });

  it('an open incident stands above the header, until it is resolved', async () => {
    const { http } = suite.catalog;
    const stamp = { time: 1_000, actor: 'urn:li:corpuser:ada' };
    const tell = (state: string) =>
      http.write('urn:li:incident:late', 'incidentInfo', {
        type: 'FRESHNESS',
        title: 'Sales are late',
        entities: [SALES_DAILY],
        status: { state, lastUpdated: stamp },
        created: stamp,
      });
    const summary = async (): Promise<string> => (await http.aspect(SALES_DAILY, 'incidentsSummary')).body;
    await tell('ACTIVE');
    await until(async () => (await summary()).includes('"activeIncidentDetails":[{'));
    await suite.open(entityPath(SALES_DAILY));
    await suite.page
      .locator('div', { hasText: /^1 open incident:/ })
      .getByRole('link', { name: 'Sales are late' })
      .first()
      .waitFor();
    expect(await allFindings(suite.page)).toEqual([]);
    await tell('RESOLVED');
    await until(async () => !(await summary()).includes('"activeIncidentDetails":[{'));
    await suite.open(entityPath(SALES_DAILY));
    await suite.settled();
    expect(await suite.page.getByText('open incident').count()).toBe(0);
  });

  it('nested columns fold, and columns are compared with those of another time', async () => {
    const { http } = suite.catalog;
    const urn = 'urn:li:dataset:(urn:li:dataPlatform:hive,nested,PROD)';
    const write = async (fields: readonly (readonly [path: string, type: string])[]): Promise<number> => {
      await http.write(urn, 'schemaMetadata', {
        ...SCHEMA,
        fields: fields.map(([fieldPath, nativeDataType]) => ({
          fieldPath,
          nativeDataType,
          type: { type: { 'com.linkedin.schema.StringType': {} } },
        })),
      });
      const { json } = await http.entity(urn, '/timeline');
      return (json as unknown as { changes: [{ time: number }] }).changes[0].time;
    };
    const before = await write([
      ['id', 'int'],
      ['fax', 'text'],
      ['address', 'struct'],
      ['address.street', 'text'],
      ['address.street.number', 'int'],
    ]);
    await write([
      ['id', 'bigint'],
      ['address', 'struct'],
      ['address.street', 'text'],
      ['address.street.number', 'int'],
      ['address.city', 'text'],
    ]);
    const page = await suite.open(entityPath(urn, '/columns'));
    const names = () => page.locator('table tbody th').allInnerTexts();
    await page.getByRole('button', { name: 'Fold address.street', exact: true }).click();
    await page.waitForURL(/folded=address\.street/);
    expect(await names()).toEqual(['id', 'address', 'address.street', 'address.city']);
    await page.getByRole('button', { name: 'Fold address', exact: true }).click();
    await page.getByRole('button', { name: 'Unfold address', exact: true }).waitFor();
    expect(await names()).toEqual(['id', 'address']);
    await page.reload();
    await page.getByRole('button', { name: 'Unfold address', exact: true }).waitFor();
    await page.getByLabel('Filter the columns').fill('city');
    await page.getByRole('link', { name: 'address.city' }).waitFor();
    await page.goto(entityPath(urn, `/columns?vs=${new Date(before).toISOString()}`));
    await page.getByText('3 changed since').waitFor();
    for (const row of [/^id .*Changed: type/, /^address\.city .*New/, /^fax .*Removed/])
      await page.getByRole('row', { name: row }).waitFor();
    expect(await allFindings(page)).toEqual([]);
  });

  it('ten thousand columns scroll without being in the document at once', async () => {
    const fields = Array.from({ length: 10_000 }, (_, at) => ({
      fieldPath: `column_${String(at)}`,
      nativeDataType: 'text',
      type: { type: { 'com.linkedin.schema.StringType': {} } },
    }));
    await suite.catalog.http.write(WIDE, 'schemaMetadata', { ...SCHEMA, fields });
    const page = await suite.open(entityPath(WIDE, '/columns'));
    await page.getByRole('link', { name: 'column_0', exact: true }).waitFor();
    expect(await page.locator('table tbody tr').count()).toBeLessThan(100);
    await page.evaluate("document.querySelector('[aria-label=Columns]').scrollTo(0, 1e6)");
    await page.getByRole('link', { name: 'column_9999', exact: true }).waitFor();
    expect(await page.locator('table tbody tr').count()).toBeLessThan(100);
  });

  it('history shows both of two writes, and the page as of between them shows the first', () =>
    historyShowsTwoWrites(suite));

  it('two versions that do not follow each other are compared', async () => {
    const urn = 'urn:li:dataset:(urn:li:dataPlatform:hive,lakes,PROD)';
    for (const description of ['Lakes', 'Ponds', 'Lakes and ponds'])
      await suite.catalog.http.write(urn, 'datasetProperties', { description });
    const page = await suite.open(entityPath(urn, '/history?aspect=datasetProperties&v=3'));
    await page.getByLabel('Compare with', { exact: true }).selectOption('1');
    await page.waitForURL(/vs=1/);
    await page.locator('ins', { hasText: 'and ponds' }).waitFor();
  });

  it("a type of a user's own model has a page with values, history and JSON", () =>
    aTypeOfAUsersOwnHasAPage(suite));

  it('what is no entity says so', async () => {
    const page = await suite.open(entityPath('urn:li:dataset:(urn:li:dataPlatform:hive,nothing,PROD)'));
    await page.getByText('Nothing is written about this entity').waitFor();
    await page.getByRole('link', { name: 'Search for its name' }).click();
    await page.waitForURL(/\/ui\/search\?q=nothing/);
    await page.goto('/ui/e/no-urn');
    await page.getByText('is no urn').waitFor();
    await page.goto('/ui/nowhere');
    await page.getByText('There is nothing at this address').waitFor();
    suite.faults.splice(0);
  });
});
