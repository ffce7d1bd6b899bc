import { expect } from '@jest/globals';
import type { JsonObject, JsonOutputObject } from '@stratalog/json';
import type { Locator } from 'playwright-core';
import { allFindings, overflow } from '../../testing/browser/browser';
import { entityPath, type PagesSuite } from '../../testing/browser/pages-suite';
import { at } from '../../testing/catalog/catalog-client';

export const RIVERS = 'urn:li:dataset:(urn:li:dataPlatform:hive,edited.rivers,PROD)';
export const BY_PEOPLE = 'editableDatasetProperties';
const LAKES = 'urn:li:dataset:(urn:li:dataPlatform:hive,edited.lakes,PROD)';

/** What a person does with the editors of an entity. */
export class Editing {
  constructor(private readonly suite: PagesSuite) {}

  /** The stored value of an aspect. */
  async stored(urn: string, name: string): Promise<JsonObject | undefined> {
    const { json } = await this.suite.catalog.http.entity(urn, `?aspects=${name}`);
    return at(json, 'aspects', name, 'value') as JsonObject | undefined;
  }

  button(name: string): Locator {
    return this.suite.page.getByRole('button', { name, exact: true });
  }

  form(name: string): Locator {
    return this.suite.page.getByRole('form', { name });
  }

  toast(text: string | RegExp): Locator {
    return this.suite.page.getByRole('status').getByText(text, { exact: true });
  }

  async save(): Promise<void> {
    await this.button('Save').click();
    await this.button('Save').waitFor({ state: 'detached' });
    await this.toast(/^Saved as version \d+$/).waitFor();
  }

  async undo(): Promise<void> {
    await this.button('Undo').click();
    await this.toast('Undone').waitFor();
  }

  async expectAccessible(width?: number): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await this.suite.page.emulateMedia({ colorScheme });
      const found = [await overflow(this.suite.page), await allFindings(this.suite.page)];
      expect([width, colorScheme, ...found]).toEqual([width, colorScheme, 0, []]);
    }
  }
}

export async function anEditedDescriptionStays(suite: PagesSuite): Promise<void> {
  const editing = new Editing(suite);
  await suite.catalog.http.write(RIVERS, 'datasetProperties', { description: 'By a connector' });
  const page = await suite.open(entityPath(RIVERS, '/history'));
  const written = page.getByRole('link', {
    name: 'Editable dataset properties written for the first time',
  });
  await page.getByRole('link', { name: 'Dataset properties written for the first time' }).waitFor();
  expect(await written.count()).toBe(0);
  await page.getByRole('link', { name: 'Overview', exact: true }).click();
  await page.getByText('By a connector').first().waitFor();
  const editor = /editors-.*\.js$/m;
  const isLoaded = async (): Promise<boolean> =>
    editor.test(
      await page.evaluate<string>(
        "performance.getEntriesByType('resource').map((each) => each.name).join('\\n')",
      ),
    );
  expect(await isLoaded()).toBe(false);
  await editing.button('Edit the description').click();
  const text = page.getByRole('textbox', { name: 'Description' });
  expect(await text.inputValue()).toBe('By a connector');
  expect(await isLoaded()).toBe(true);
  await text.fill('Rivers with **quixotic** names');
  await editing.button('Preview').click();
  await editing.form('Edit the description').locator('strong', { hasText: 'quixotic' }).waitFor();
  await editing.button('Write').click();
  await text.press('Control+Enter');
  await editing.toast('Saved as version 1').waitFor();
  // What had been read of the history is read again.
  await page.getByRole('link', { name: 'History', exact: true }).click();
  await written.waitFor();
  const [search] = await Promise.all([
    page.waitForRequest((request) => (request.postData() ?? '').includes('"quixotic"')),
    page.getByLabel('Search the catalog').fill('quixotic'),
  ]);
  expect(await search.headerValue('X-Stratalog-Wait-For')).toMatch(/\d/);
  await page.keyboard.press('Control+Enter');
  await page.waitForURL(/search\?q=quixotic/);
  await page
    .getByRole('link', { name: /edited\.rivers/ })
    .first()
    .waitFor();
  await page.goto(entityPath(RIVERS));
  await page.locator('strong', { hasText: 'quixotic' }).waitFor();
  await page.getByText('Written by').waitFor();
  expect(await editing.stored(RIVERS, 'datasetProperties')).toMatchObject({ description: 'By a connector' });
  await editing.button('Edit the description').click();
  await text.fill('Rivers');
  await editing.save();
  await editing.undo();
  await page.locator('strong', { hasText: 'quixotic' }).waitFor();
  expect(await editing.stored(RIVERS, BY_PEOPLE)).toMatchObject({
    description: 'Rivers with **quixotic** names',
  });
}

export async function aConcurrentWriteLosesNothing(suite: PagesSuite): Promise<void> {
  const editing = new Editing(suite);
  await suite.catalog.http.write(LAKES, 'datasetProperties', { description: 'By a connector' });
  const page = await suite.open(entityPath(LAKES));
  const write = (description: string, others: JsonOutputObject = {}): Promise<string> =>
    suite.catalog.http.write(LAKES, BY_PEOPLE, { description, ...others });
  await editing.button('Edit the description').click();
  const text = page.getByRole('textbox', { name: 'Description' });
  await text.fill('Lakes, as I see them');
  await write('Lakes, as others see them', { name: 'Great lakes' });
  await editing.button('Save').click();
  const conflict = page.getByRole('group', { name: 'Two versions' });
  const mine = conflict.getByLabel('Yours, not saved');
  expect(await mine.inputValue()).toBe('Lakes, as I see them');
  expect(await conflict.getByLabel('Theirs, version 1').inputValue()).toBe('Lakes, as others see them');
  await editing.expectAccessible();
  await write('Lakes, as others see them now', { name: 'Great lakes' });
  await editing.button('Edit yours').click();
  await mine.fill('Lakes, as we see them');
  await editing.button('Save yours').click();
  expect(await conflict.getByLabel('Theirs, version 2').inputValue()).toBe('Lakes, as others see them now');
  expect(await mine.inputValue()).toBe('Lakes, as we see them');
  await editing.button('Save yours').click();
  await editing.toast('Saved as version 3').waitFor();
  // What else the other write had stays, and so do both texts in the history.
  expect(await editing.stored(LAKES, BY_PEOPLE)).toMatchObject({
    description: 'Lakes, as we see them',
    name: 'Great lakes',
  });
  await editing.button('Edit the description').click();
  await text.fill('Lakes, once more');
  await write('Lakes, theirs');
  await editing.button('Save').click();
  await editing.button('Take theirs').click();
  await page.getByText('Lakes, theirs').waitFor();
  expect(await editing.stored(LAKES, BY_PEOPLE)).toMatchObject({ description: 'Lakes, theirs' });
  expect(suite.faults.splice(0).every((fault) => fault.includes('422'))).toBe(true);
}
