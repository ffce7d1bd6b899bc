import { beforeAll, describe, expect, it } from '@jest/globals';
import { stringifyJson } from '@stratalog/json';
import { until } from '@stratalog/testkit';
import { allFindings } from '../testing/browser/browser';
import { pagesForSuite } from '../testing/browser/pages-suite';
import { MEASURED, Operating, TOKEN, WITH_TOKEN } from './checks/operating';
import { OPERATING_PLACES, faultsOn } from './screens';

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
const SCREENS = [
  [1440, 'light'],
  [1440, 'dark'],
  [900, 'dark'],
  [390, 'light'],
] as const;

describe('the web pages of operators', () => {
  const suite = pagesForSuite({ environment: { STRATALOG_TOKEN: TOKEN } });

  const operating = new Operating(suite);

  beforeAll(async () => {
    const { http } = suite.catalog;
    await operating.measure();
    await http.write(TEST, 'testInfo', INFO);
    await operating.ask('evaluateAll', {}, 'test');
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

  it.each([...OPERATING_PLACES, `tests/${encodeURIComponent(TEST)}`])(
    'axe finds nothing, and nothing overflows, on a desk, a tablet and a phone: %s',
    async (place) => {
      await operating.openAs(TOKEN, place);
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

  it('without the scope the places of operators are absent, and their addresses say which one they need', () =>
    operating.placesNeedTheirScope());

  it('an internal error shows its reference', () => operating.anInternalErrorShowsItsReference());

  it('a token that is made shows once, and is nowhere afterwards', () => operating.aTokenShowsOnce());

  it('a truncation needs its dry run and the typed name, and the dry run deletes nothing', () =>
    operating.aTruncationNeedsItsDryRun());

  it('a failed task tells why and starts again; the progress of one shows without a reload, and it pauses, resumes and ends', () =>
    operating.aTaskIsFollowed());

  it('the list of tasks is told what happens, and is not read again', async () => {
    const page = await operating.openAs(TOKEN, 'tasks');
    await page.getByText('Live', { exact: true }).waitFor();
    await suite.settled();
    const reads: string[] = [];
    page.on('request', (request) => reads.push(new URL(request.url()).pathname));
    const task = (await operating.ask('startRestore', { urn: MEASURED })) as { readonly task: string };
    const row = page.getByRole('row').filter({ has: page.locator(`a[href$="/tasks/${task.task}"]`) });
    await row.getByText('Completed', { exact: true }).waitFor();
    await page.waitForTimeout(2_500);
    expect(reads.filter((path) => path.endsWith('/operations/tasks'))).toEqual([]);
  });

  it('a restore is a task that says how far it is', async () => {
    const page = await operating.openAs(TOKEN, 'indices');
    await page.getByLabel('Urn', { exact: true }).fill(MEASURED);
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('link', { name: 'follow the task' }).click();
    const panel = page.getByRole('complementary', { name: /^Task / });
    await panel.getByText('Completed', { exact: true }).waitFor();
    await panel.getByText(/^[1-9]\d* aspects$/).waitFor();
  });

  it('health knows the lag of each partition, and what was done before the page was opened', async () => {
    const page = await operating.openAs(TOKEN, 'health');
    await page.getByRole('row', { name: /^indexer( \d+)+$/ }).waitFor();
    await page.getByRole('row', { name: /^writer( \d+)+$/ }).waitFor();
    await page.getByText(/^writes [\d,.]+/).waitFor();
    await page.getByText('As a table').click();
    await page.getByRole('columnheader', { name: 'Writes per second' }).waitFor();
  });

  it('health stops to read while it is paused', async () => {
    const page = await operating.openAs(TOKEN, 'health');
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
    const page = await operating.openAs(TOKEN, 'tests');
    await page.getByRole('link', { name: 'Datasets are described' }).click();
    await page.getByRole('button', { name: `Why ${MEASURED} fails` }).click();
    await page.getByText('datasetProperties.description must have a value; it has none').waitFor();
  });

  it('a metadata test is edited with its faults at their place, and tried before it is saved', async () => {
    const page = await operating.openAs(TOKEN, `tests/${encodeURIComponent(TEST)}`);
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
    const page = await operating.openAs(TOKEN, 'dead-letters');
    await page.getByRole('link', { name: /noSuchAspect of urn:li:tag:lost/ }).click();
    const panel = page.getByRole('complementary', { name: /^Dead letter/ });
    await panel.getByText('{"is":"kept"}').waitFor();
    await page.keyboard.press('Escape');
    await page.waitForURL(/\/ui\/operate\/dead-letters$/);
  });

  it('the filters of the audit are in the address, and the records can be saved', async () => {
    const page = await operating.openAs(TOKEN, 'audit');
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
