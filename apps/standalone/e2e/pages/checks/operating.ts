import { expect } from '@jest/globals';
import { stringifyJson, type JsonOutputObject } from '@stratalog/json';
import { until } from '@stratalog/testkit';
import type { Page } from 'playwright-core';
import { allFindings } from '../../testing/browser/browser';
import type { PagesSuite } from '../../testing/browser/pages-suite';
import { at } from '../../testing/catalog/catalog-client';

export const TOKEN = 'an-operators-token-of-our-own';
export const WITH_TOKEN = { authorization: `Bearer ${TOKEN}` };
export const MEASURED = 'urn:li:dataset:(urn:li:dataPlatform:hive,measured,PROD)';
/** Enough that a task which deletes one at a time can be watched. */
const VALUES = 800;
const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2020, 0, 1);
/** The sample catalog has no values of it. */
const ASPECT = 'chartUsageStatistics';
const VIEWED = 'urn:li:chart:(looker,viewed)';
const TRUNCATION = { entityType: 'chart', aspect: ASPECT, endTimeMillis: START_MS + VALUES * DAY_MS };

/** What an operator does on the pages of a catalog whose token is `TOKEN`. */
export class Operating {
  constructor(private readonly suite: PagesSuite) {}

  async ask(action: string, body: JsonOutputObject, path = 'operations'): Promise<unknown> {
    const answer = await this.suite.catalog.http.post(
      `/${path}?action=${action}`,
      stringifyJson(body),
      WITH_TOKEN,
    );
    if (answer.status !== 200) throw new Error(`${action}: ${answer.body}`);
    return at(answer.json, 'value');
  }

  /** Opens a page of operators with a token, which the tab keeps. */
  async openAs(token: string, path: string): Promise<Page> {
    const page = await this.suite.open(`/ui/sign-in?then=/operate/${encodeURIComponent(path)}`);
    await page.getByLabel('Stay signed in on this tab').check();
    await page.getByLabel('Token').fill(token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(/\/ui\/operate\//);
    return page;
  }

  /** Writes the values that the checks of truncations and of tasks delete. */
  async measure(): Promise<void> {
    await this.suite.catalog.http.write(MEASURED, 'status', { removed: false });
    const proposals = Array.from({ length: VALUES }, (_, n) => ({
      entityType: 'chart',
      entityUrn: VIEWED,
      changeType: 'UPSERT',
      aspectName: ASPECT,
      aspect: {
        contentType: 'application/json',
        value: stringifyJson({ timestampMillis: START_MS + n * DAY_MS, viewsCount: n }),
      },
    }));
    await this.ask('ingestProposalBatch', { proposals, async: 'false' }, 'aspects');
  }

  private dryRun(): Promise<unknown> {
    return this.ask('truncateTimeseriesAspect', TRUNCATION);
  }

  async placesNeedTheirScope(): Promise<void> {
    const made = (await this.ask('createToken', { name: 'reader', scopes: ['read'] })) as {
      readonly token: string;
    };
    const page = await this.openAs(made.token, 'health');
    await page.getByText('needs the scope operate').first().waitFor();
    expect(await page.getByRole('link', { name: 'Tasks', exact: true }).count()).toBe(0);
    await page.goto('/ui/operate/audit');
    await page.getByText('needs the scope admin').waitFor();
    expect(this.suite.faults.splice(0).every((fault) => fault.includes('403'))).toBe(true);
  }

  async anInternalErrorShowsItsReference(): Promise<void> {
    const reference = '0b6ad6f4-4b8e-4a0e-9c60-2f5f3c1d9a77';
    const page = await this.openAs(TOKEN, 'policies');
    await page.route('**/operations/tokens*', (route) =>
      route.fulfill({ status: 500, json: { status: 500, message: `Internal error ${reference}` } }),
    );
    await page.goto('/ui/operate/tokens');
    await page.locator('code', { hasText: reference }).waitFor();
    expect(this.suite.faults.splice(0).every((fault) => fault.includes('500'))).toBe(true);
  }

  async aTokenShowsOnce(): Promise<void> {
    const page = await this.openAs(TOKEN, 'tokens');
    await page.getByRole('button', { name: 'Make a token' }).click();
    const dialog = page.getByRole('dialog', { name: 'Make a token' });
    await dialog.getByLabel('Name').fill('nightly run');
    await dialog.getByRole('checkbox', { name: /^write/ }).check();
    await dialog.getByRole('button', { name: 'Make the token' }).click();
    const secret = await page.getByRole('dialog', { name: 'The token' }).locator('output').innerText();
    expect(
      (await this.suite.catalog.http.get('/operations/tasks', { authorization: `Bearer ${secret}` })).status,
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
  }

  async aTruncationNeedsItsDryRun(): Promise<void> {
    const before = await this.dryRun();
    const page = await this.openAs(TOKEN, 'indices');
    await page
      .getByRole('row', { name: /^Chart usage statistics Chart 800 1 Jan 2020 10 Mar 2022/ })
      .waitFor();
    await page.getByRole('button', { name: 'Truncate chartUsageStatistics of chart' }).click();
    const dialog = page.getByRole('dialog', { name: 'Truncate chartUsageStatistics of chart' });
    const remove = dialog.getByRole('button', { name: 'Delete 10 values' });
    expect(await remove.count()).toBe(0);
    await dialog.getByLabel(/Values up to/).fill('2020-01-10');
    await dialog.getByRole('button', { name: 'Count them' }).click();
    await dialog.getByText(/10 of 800 values up to 10 Jan 2020/).waitFor();
    expect(await this.dryRun()).toBe(before);
    expect(await remove.isDisabled()).toBe(true);
    await dialog.getByLabel('Type chartUsageStatistics').fill('chartusagestatistic');
    expect(await remove.isDisabled()).toBe(true);
    await dialog.getByLabel('Type chartUsageStatistics').fill('chartUsageStatistics');
    expect(await allFindings(page)).toEqual([]);
    await remove.click();
    await page.getByRole('link', { name: 'follow the task' }).click();
    await page
      .getByRole('complementary', { name: /^Task / })
      .getByText('Completed', { exact: true })
      .waitFor();
    expect(await this.dryRun()).toContain('Delete 790 out of 790');
  }

  /** Comes after the truncation: it deletes the values that this one left. */
  async aTaskIsFollowed(): Promise<void> {
    const slow = { ...TRUNCATION, dryRun: false, batchSize: 1 };
    const half = { ...slow, endTimeMillis: START_MS + (VALUES / 2) * DAY_MS, timeoutSeconds: 1 };
    const failing = (await this.ask('truncateTimeseriesAspect', half)) as string;
    const page = await this.openAs(TOKEN, `tasks/${encodeURIComponent(failing)}`);
    const panel = page.getByRole('complementary', { name: `Task ${failing}` });
    await panel.getByText('Not complete after 1 seconds').waitFor();
    await panel.getByRole('button', { name: 'Start again with the same parameters' }).click();
    await page.waitForURL((url) => !decodeURIComponent(url.href).includes(failing));
    await page
      .getByRole('complementary')
      .getByText(/^\s*(?:Failed|Completed)\s*$/)
      .waitFor();
    const task = (await this.ask('truncateTimeseriesAspect', slow)) as string;
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
  }
}
