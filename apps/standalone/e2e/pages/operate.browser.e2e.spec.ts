import { beforeAll, describe, expect, it } from '@jest/globals';
import { stringifyJson, type JsonOutputObject } from '@stratalog/json';
import { until } from '@stratalog/testkit';
import type { Page } from 'playwright-core';
import { allFindings } from '../testing/browser/browser';
import { pagesForSuite } from '../testing/browser/pages-suite';
import { faultsOn } from './screens';
import { at } from '../testing/catalog/catalog-client';

const TOKEN = 'an-operators-token-of-our-own';
const WITH_TOKEN = { authorization: `Bearer ${TOKEN}` };
const MEASURED = 'urn:li:dataset:(urn:li:dataPlatform:hive,measured,PROD)';
const TEST = 'urn:li:test:described';
const DEFINITION = {
  on: { types: ['dataset'] },
  rules: [{ property: 'datasetProperties.description', operator: 'exists' }],
};
const INFO = {
  name: 'Datasets are described',
  category: 'Documentation',
  definition: { type: 'JSON', json: stringifyJson(DEFINITION) },
};
/** Enough that a task which deletes one at a time can be watched. */
const VALUES = 800;
const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2020, 0, 1);
const ASPECT = 'datasetProfile';

const PLACES = [
  'health',
  'tasks',
  'indices',
  'dead-letters',
  `tests/${encodeURIComponent(TEST)}`,
  'tokens',
  'audit?outcome=done',
  'policies',
];
const SCREENS = [
  [1440, 'light'],
  [1440, 'dark'],
  [900, 'dark'],
  [390, 'light'],
] as const;

describe('the web pages of operators', () => {
  const suite = pagesForSuite({ environment: { STRATALOG_TOKEN: TOKEN } });

  const ask = async (action: string, body: JsonOutputObject, path = 'operations'): Promise<unknown> => {
    const answer = await suite.catalog.http.post(
      `/${path}?action=${action}`,
      stringifyJson(body),
      WITH_TOKEN,
    );
    if (answer.status !== 200) throw new Error(`${action}: ${answer.body}`);
    return at(answer.json, 'value');
  };
  const truncation = { entityType: 'dataset', aspect: ASPECT, endTimeMillis: START_MS + VALUES * DAY_MS };
  const dryRun = (): Promise<unknown> => ask('truncateTimeseriesAspect', truncation);

  beforeAll(async () => {
    const { http } = suite.catalog;
    await http.write(MEASURED, 'status', { removed: false });
    const proposals = Array.from({ length: VALUES }, (_, n) => ({
      entityType: 'dataset',
      entityUrn: MEASURED,
      changeType: 'UPSERT',
      aspectName: ASPECT,
      aspect: {
        contentType: 'application/json',
        value: stringifyJson({ timestampMillis: START_MS + n * DAY_MS, rowCount: n }),
      },
    }));
    await ask('ingestProposalBatch', { proposals, async: 'false' }, 'aspects');
    await http.write(TEST, 'testInfo', INFO);
    await ask('evaluateAll', {}, 'test');
    await http.ingest({
      urn: 'urn:li:tag:lost',
      aspectName: 'noSuchAspect',
      value: { is: 'kept' },
      parameters: { async: 'true' },
    });
    await until(async () =>
      (await http.get('/operations/deadLetters', WITH_TOKEN)).body.includes('tag:lost'),
    );
  });

  /** Opens a page of operators with a token, which the tab keeps. */
  const openAs = async (token: string, path: string): Promise<Page> => {
    const page = await suite.open(`/ui/sign-in?then=/operate/${encodeURIComponent(path)}`);
    await page.getByLabel('Stay signed in on this tab').check();
    await page.getByLabel('Token').fill(token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(/\/ui\/operate\//);
    return page;
  };

  it.each(PLACES)(
    'axe finds nothing, and nothing overflows, on a desk, a tablet and a phone: %s',
    async (place) => {
      await openAs(TOKEN, place);
      expect(await faultsOn(suite, SCREENS)).toEqual([]);
    },
  );

  it('a page of operators asks for a token, and leads back to itself', async () => {
    const page = await suite.open('/ui/operate/tasks?state=failed');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByLabel('Token').fill(TOKEN);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(/\/ui\/operate\/tasks\?state=failed/);
    await page.getByRole('button', { name: /^Failed/, pressed: true }).waitFor();
    expect(suite.faults.splice(0).every((fault) => fault.includes('401'))).toBe(true);
  });

  it('without the scope the places of operators are absent, and their addresses say which one they need', async () => {
    const made = (await ask('createToken', { name: 'reader', scopes: ['read'] })) as {
      readonly token: string;
    };
    const page = await openAs(made.token, 'health');
    await page.getByText('needs the scope operate').first().waitFor();
    expect(await page.getByRole('link', { name: 'Tasks', exact: true }).count()).toBe(0);
    await page.goto('/ui/operate/audit');
    await page.getByText('needs the scope admin').waitFor();
    expect(suite.faults.splice(0).every((fault) => fault.includes('403'))).toBe(true);
  });

  it('an internal error shows its reference', async () => {
    const reference = '0b6ad6f4-4b8e-4a0e-9c60-2f5f3c1d9a77';
    const page = await openAs(TOKEN, 'policies');
    await page.route('**/operations/tokens*', (route) =>
      route.fulfill({ status: 500, json: { status: 500, message: `Internal error ${reference}` } }),
    );
    await page.goto('/ui/operate/tokens');
    await page.locator('code', { hasText: reference }).waitFor();
    expect(suite.faults.splice(0).every((fault) => fault.includes('500'))).toBe(true);
  });

  it('a token that is made shows once, and is nowhere afterwards', async () => {
    const page = await openAs(TOKEN, 'tokens');
    await page.getByRole('button', { name: 'Make a token' }).click();
    const dialog = page.getByRole('dialog', { name: 'Make a token' });
    await dialog.getByLabel('Name').fill('nightly run');
    await dialog.getByRole('checkbox', { name: /^write/ }).check();
    await dialog.getByRole('button', { name: 'Make the token' }).click();
    const secret = await page.getByRole('dialog', { name: 'The token' }).locator('output').innerText();
    expect(
      (await suite.catalog.http.get('/operations/tasks', { authorization: `Bearer ${secret}` })).status,
    ).toBe(403);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('row', { name: /nightly run.*read, write/ }).waitFor();
    for (const isAgain of [false, true]) {
      if (isAgain) await page.reload();
      await page.getByRole('row', { name: /nightly run/ }).waitFor();
      expect(await page.content()).not.toContain(secret);
    }
    const kept =
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])';
    expect(await page.evaluate(kept)).not.toContain(secret);
    expect(await page.evaluate('JSON.stringify([{ ...localStorage }, location.href])')).not.toContain(TOKEN);
    await page.getByRole('button', { name: 'Revoke nightly run' }).click();
    await page.getByRole('button', { name: 'Revoke the token' }).click();
    await page.getByRole('row', { name: /nightly run.*Revoked/ }).waitFor();
  });

  it('a truncation needs its dry run and the typed name, and the dry run deletes nothing', async () => {
    const before = await dryRun();
    const page = await openAs(TOKEN, 'indices');
    await page.getByRole('row', { name: /^Dataset profile Dataset 800 1 Jan 2020 10 Mar 2022/ }).waitFor();
    await page.getByRole('button', { name: 'Truncate datasetProfile of dataset' }).click();
    const dialog = page.getByRole('dialog', { name: 'Truncate datasetProfile of dataset' });
    const remove = dialog.getByRole('button', { name: 'Delete 10 values' });
    expect(await remove.count()).toBe(0);
    await dialog.getByLabel(/Values up to/).fill('2020-01-10');
    await dialog.getByRole('button', { name: 'Count them' }).click();
    await dialog.getByText(/10 of 800 values up to 10 Jan 2020/).waitFor();
    expect(await dryRun()).toBe(before);
    expect(await remove.isDisabled()).toBe(true);
    await dialog.getByLabel('Type datasetProfile').fill('datasetprofil');
    expect(await remove.isDisabled()).toBe(true);
    await dialog.getByLabel('Type datasetProfile').fill('datasetProfile');
    expect(await allFindings(page)).toEqual([]);
    await remove.click();
    await page.getByRole('link', { name: 'follow the task' }).click();
    await page
      .getByRole('complementary', { name: /^Task / })
      .getByText('Completed', { exact: true })
      .waitFor();
    expect(await dryRun()).toContain('Delete 790 out of 790');
  });

  it('a failed task tells why and starts again; the progress of one shows without a reload, and it pauses, resumes and ends', async () => {
    const slow = { ...truncation, dryRun: false, batchSize: 1 };
    const half = { ...slow, endTimeMillis: START_MS + (VALUES / 2) * DAY_MS, timeoutSeconds: 1 };
    const failing = (await ask('truncateTimeseriesAspect', half)) as string;
    const page = await openAs(TOKEN, `tasks/${encodeURIComponent(failing)}`);
    const panel = page.getByRole('complementary', { name: `Task ${failing}` });
    await panel.getByText('Not complete after 1 seconds').waitFor();
    await panel.getByRole('button', { name: 'Start again with the same parameters' }).click();
    await page.waitForURL((url) => !decodeURIComponent(url.href).includes(failing));
    await page
      .getByRole('complementary')
      .getByText(/^\s*(?:Failed|Completed)\s*$/)
      .waitFor();
    const task = (await ask('truncateTimeseriesAspect', slow)) as string;
    await page.locator(`a[href$="/tasks/${task}"]`).click();
    const running = page.getByRole('complementary', { name: `Task ${task}` });
    const bar = running.getByRole('progressbar');
    await until(async () => Number(await bar.getAttribute('aria-valuenow')) > 0);
    await page.keyboard.press('p');
    await running.getByText('Paused', { exact: true }).waitFor();
    const held = await bar.getAttribute('aria-valuenow');
    await running.getByRole('button', { name: 'Resume' }).click();
    await until(async () => (await bar.getAttribute('aria-valuenow')) !== held);
    await running.getByText('Completed', { exact: true }).waitFor();
    await page
      .getByRole('row', { name: /Truncate.*Completed/ })
      .first()
      .waitFor();
  });

  it('the list of tasks is told what happens, and is not read again', async () => {
    const page = await openAs(TOKEN, 'tasks');
    await page.getByText('Live', { exact: true }).waitFor();
    await suite.settled();
    const reads: string[] = [];
    page.on('request', (request) => reads.push(new URL(request.url()).pathname));
    const task = (await ask('startRestore', { urn: MEASURED })) as { readonly task: string };
    const row = page.getByRole('row').filter({ has: page.locator(`a[href$="/tasks/${task.task}"]`) });
    await row.getByText('Completed', { exact: true }).waitFor();
    await page.waitForTimeout(2_500);
    expect(reads.filter((path) => path.endsWith('/operations/tasks'))).toEqual([]);
  });

  it('a restore is a task that says how far it is', async () => {
    const page = await openAs(TOKEN, 'indices');
    await page.getByLabel('Urn', { exact: true }).fill(MEASURED);
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('link', { name: 'follow the task' }).click();
    const panel = page.getByRole('complementary', { name: /^Task / });
    await panel.getByText('Completed', { exact: true }).waitFor();
    await panel.getByText(/^[1-9]\d* aspects$/).waitFor();
  });

  it('health knows the lag of each partition, and what was done before the page was opened', async () => {
    const page = await openAs(TOKEN, 'health');
    await page.getByRole('row', { name: /^indexer( \d+)+$/ }).waitFor();
    await page.getByRole('row', { name: /^writer( \d+)+$/ }).waitFor();
    await page.getByText(/^writes [\d,.]+/).waitFor();
    await page.getByText('As a table').click();
    await page.getByRole('columnheader', { name: 'Writes per second' }).waitFor();
  });

  it('health stops to read while it is paused', async () => {
    const page = await openAs(TOKEN, 'health');
    const reads: string[] = [];
    page.on('request', (request) => reads.push(new URL(request.url()).pathname));
    await until(() =>
      Promise.resolve(reads.filter((path) => path.endsWith('/operations/health')).length >= 2),
    );
    await page.getByRole('button', { name: 'Pause updates' }).click();
    await suite.settled();
    reads.length = 0;
    await page.waitForTimeout(2_500);
    expect(reads.filter((path) => path.endsWith('/operations/health'))).toEqual([]);
  });

  it('a metadata test names the entities that fail, and why', async () => {
    const page = await openAs(TOKEN, 'tests');
    await page.getByRole('link', { name: 'Datasets are described' }).click();
    await page.getByRole('button', { name: `Why ${MEASURED} fails` }).click();
    await page.getByText('datasetProperties.description must have a value; it has none').waitFor();
  });

  it('a metadata test is edited with its faults at their place, and tried before it is saved', async () => {
    const page = await openAs(TOKEN, `tests/${encodeURIComponent(TEST)}`);
    await page.getByRole('button', { name: 'Edit the definition' }).click();
    const form = page.getByRole('form', { name: 'Edit the definition' });
    const text = form.getByLabel('Definition');
    const right = await text.inputValue();
    await text.fill(right.replace('.description', '.descripton'));
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('did you mean description?').waitFor();
    await form.getByRole('button', { name: 'Line 9' }).click();
    expect(await page.evaluate('getSelection().toString()')).toBe('"datasetProperties.descripton"');
    expect(await allFindings(page)).toEqual([]);
    await text.fill(right.replace('"exists"', '"exists", "negate": true'));
    await form.getByRole('button', { name: 'Dry run' }).click();
    await form.getByText('1 entity passes, 0 fail. Nothing was written.').waitFor();
    const stored = async (): Promise<string> => (await suite.catalog.http.entity(TEST)).body;
    expect(await stored()).not.toContain('negate');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    expect(await stored()).toContain('negate');

    await page.getByRole('button', { name: 'Edit the definition' }).click();
    await suite.catalog.http.write(TEST, 'testInfo', INFO);
    const mine = await text.inputValue();
    await text.fill(mine.replace('"negate": true', '"negate": false'));
    await form.getByRole('button', { name: 'Save' }).click();
    const both = page.getByRole('group', { name: 'Two versions' });
    expect(await both.getByLabel('Yours, not saved').inputValue()).toContain('"negate": false');
    expect(await both.getByLabel(/^Theirs, version/).inputValue()).toBe(right);
    expect(await stored()).not.toContain('negate');
    expect(suite.faults.splice(0)).toEqual([expect.stringContaining('422')]);
    await both.getByRole('button', { name: 'Keep yours' }).click();
    await both.waitFor({ state: 'detached' });
    expect(await stored()).toContain('negate');
    await suite.catalog.http.write(TEST, 'testInfo', INFO);
  });

  it('a dead letter shows its reason and what it wanted to write', async () => {
    const page = await openAs(TOKEN, 'dead-letters');
    await page.getByRole('link', { name: /noSuchAspect of urn:li:tag:lost/ }).click();
    const panel = page.getByRole('complementary', { name: /^Dead letter/ });
    await panel.getByText('{"is":"kept"}').waitFor();
    await page.keyboard.press('Escape');
    await page.waitForURL(/\/ui\/operate\/dead-letters$/);
  });

  it('the filters of the audit are in the address, and the records can be saved', async () => {
    const page = await openAs(TOKEN, 'audit');
    await page.getByLabel('Outcome').selectOption('rejected');
    await page.waitForURL(/outcome=rejected/);
    await page.getByText('Rejected, 403').first().waitFor();
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download as JSON Lines' }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe('audit.jsonl');
  });
});
