import { beforeAll, describe, expect, it } from '@jest/globals';
import { stringifyJson, type JsonObject, type JsonOutputObject, type JsonValue } from '@stratalog/json';
import { until } from '@stratalog/testkit';
import type { Locator } from 'playwright-core';
import { allFindings, overflow } from '../testing/browser/browser';
import { CUSTOMERS, SALES_DAILY, entityPath, pagesForSuite } from '../testing/browser/pages-suite';
import { at } from '../testing/catalog/catalog-client';

const TOKEN = 'an-operators-token-of-our-own';
const RIVERS = 'urn:li:dataset:(urn:li:dataPlatform:hive,edited.rivers,PROD)';
const LAKES = 'urn:li:dataset:(urn:li:dataPlatform:hive,edited.lakes,PROD)';
const PONDS = 'urn:li:dataset:(urn:li:dataPlatform:hive,edited.ponds,PROD)';
const DAYS = 'urn:li:structuredProperty:io.acme.days';
const TERM = 'urn:li:glossaryTerm:Sales.Order';
const BY_PEOPLE = 'editableDatasetProperties';

describe('editing on the page of an entity', () => {
  const suite = pagesForSuite({ hasDemo: true });

  beforeAll(async () => {
    for (const urn of [RIVERS, LAKES, PONDS])
      await suite.catalog.http.write(urn, 'datasetProperties', { description: 'By a connector' });
  });

  /** The stored value of an aspect. */
  const stored = async (urn: string, name: string): Promise<JsonObject | undefined> => {
    const { json } = await suite.catalog.http.entity(urn, `?aspects=${name}`);
    return at(json, 'aspects', name, 'value') as JsonObject | undefined;
  };
  const members = async (urn: string, name: string, field: string, member: string): Promise<JsonValue[]> => {
    const elements = ((await stored(urn, name))?.[field] ?? []) as JsonObject[];
    return elements.map((each) => each[member] ?? null);
  };
  const button = (name: string): Locator => suite.page.getByRole('button', { name, exact: true });
  const form = (name: string): Locator => suite.page.getByRole('form', { name });
  const toast = (text: string | RegExp): Locator =>
    suite.page.getByRole('status').getByText(text, { exact: true });
  const pick = async (label: string, text: string, name: string): Promise<void> => {
    await suite.page.getByRole('combobox', { name: label }).fill(text);
    await suite.page.getByRole('option', { name }).first().click();
  };
  const save = async (): Promise<void> => {
    await button('Save').click();
    await button('Save').waitFor({ state: 'detached' });
    await toast(/^Saved as version \d+$/).waitFor();
  };
  const undo = async (): Promise<void> => {
    await button('Undo').click();
    await toast('Undone').waitFor();
  };
  const expectAccessible = async (width?: number): Promise<void> => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await suite.page.emulateMedia({ colorScheme });
      const found = [await overflow(suite.page), await allFindings(suite.page)];
      expect([width, colorScheme, ...found]).toEqual([width, colorScheme, 0, []]);
    }
  };

  it('an edited description survives a reload, a search finds it at once, and Undo takes it back', async () => {
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
    await button('Edit the description').click();
    const text = page.getByRole('textbox', { name: 'Description' });
    expect(await text.inputValue()).toBe('By a connector');
    expect(await isLoaded()).toBe(true);
    await text.fill('Rivers with **quixotic** names');
    await button('Preview').click();
    await form('Edit the description').locator('strong', { hasText: 'quixotic' }).waitFor();
    await button('Write').click();
    await text.press('Control+Enter');
    await toast('Saved as version 1').waitFor();
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
    expect(await stored(RIVERS, 'datasetProperties')).toMatchObject({ description: 'By a connector' });
    await button('Edit the description').click();
    await text.fill('Rivers');
    await save();
    await undo();
    await page.locator('strong', { hasText: 'quixotic' }).waitFor();
    expect(await stored(RIVERS, BY_PEOPLE)).toMatchObject({ description: 'Rivers with **quixotic** names' });
  });

  it('Escape cancels and gives the focus back, and what has not changed is not written', async () => {
    const page = await suite.open(entityPath(PONDS));
    const text = page.getByRole('textbox', { name: 'Description' });
    await button('Edit the description').press('Enter');
    await page.locator('textarea:focus').waitFor();
    await page.keyboard.type('Not to be kept. ');
    expect(await text.inputValue()).toContain('Not to be kept. ');
    await page.keyboard.press('Escape');
    await form('Edit the description').waitFor({ state: 'detached' });
    await page.locator('button:focus', { hasText: 'Edit the description' }).waitFor();
    await page.keyboard.press('Enter');
    expect(await text.inputValue()).toBe('By a connector');
    await text.press('Control+Enter');
    await form('Edit the description').waitFor({ state: 'detached' });
    expect(await stored(PONDS, BY_PEOPLE)).toBeUndefined();
  });

  it('a concurrent write leads to both texts side by side, and nothing is lost', async () => {
    const page = await suite.open(entityPath(LAKES));
    const write = (description: string, others: JsonOutputObject = {}): Promise<string> =>
      suite.catalog.http.write(LAKES, BY_PEOPLE, { description, ...others });
    await button('Edit the description').click();
    const text = page.getByRole('textbox', { name: 'Description' });
    await text.fill('Lakes, as I see them');
    await write('Lakes, as others see them', { name: 'Great lakes' });
    await button('Save').click();
    const conflict = page.getByRole('group', { name: 'Two versions' });
    const mine = conflict.getByLabel('Yours, not saved');
    expect(await mine.inputValue()).toBe('Lakes, as I see them');
    expect(await conflict.getByLabel('Theirs, version 1').inputValue()).toBe('Lakes, as others see them');
    await expectAccessible();
    await write('Lakes, as others see them now', { name: 'Great lakes' });
    await button('Edit yours').click();
    await mine.fill('Lakes, as we see them');
    await button('Save yours').click();
    expect(await conflict.getByLabel('Theirs, version 2').inputValue()).toBe('Lakes, as others see them now');
    expect(await mine.inputValue()).toBe('Lakes, as we see them');
    await button('Save yours').click();
    await toast('Saved as version 3').waitFor();
    // What else the other write had stays, and so do both texts in the history.
    expect(await stored(LAKES, BY_PEOPLE)).toMatchObject({
      description: 'Lakes, as we see them',
      name: 'Great lakes',
    });
    await button('Edit the description').click();
    await text.fill('Lakes, once more');
    await write('Lakes, theirs');
    await button('Save').click();
    await button('Take theirs').click();
    await page.getByText('Lakes, theirs').waitFor();
    expect(await stored(LAKES, BY_PEOPLE)).toMatchObject({ description: 'Lakes, theirs' });
    expect(suite.faults.splice(0).every((fault) => fault.includes('422'))).toBe(true);
  });

  it('a column is described without touching the others, and Escape leaves its panel open', async () => {
    const page = await suite.open(entityPath(CUSTOMERS, '/columns?column=email'));
    const panel = page.getByRole('complementary', { name: 'Column email' });
    const text = page.getByRole('textbox', { name: 'Description' });
    await button('Edit the description').click();
    await text.press('Escape');
    await text.waitFor({ state: 'detached' });
    await button('Edit the description').click();
    await text.fill('Where the receipts go');
    // Somebody else describes another column in the meantime: that is no conflict.
    await suite.catalog.http.write(CUSTOMERS, 'editableSchemaMetadata', {
      editableSchemaFieldInfo: [{ fieldPath: 'full_name', description: 'As on the parcel' }],
    });
    await save();
    await panel.getByText('Where the receipts go').waitFor();
    expect(await stored(CUSTOMERS, 'editableSchemaMetadata')).toMatchObject({
      editableSchemaFieldInfo: [
        { fieldPath: 'full_name', description: 'As on the parcel' },
        { fieldPath: 'email', description: 'Where the receipts go' },
      ],
    });
    await undo();
    await panel.getByText('Where the receipts go').waitFor({ state: 'detached' });
    await button('Edit the terms').click();
    await form('Edit the terms').waitFor();
    await button('Edit the tags').press('Enter');
    await form('Edit the tags').getByText('From a connector').getByRole('link', { name: 'PII' }).waitFor();
    await expectAccessible();
    await form('Edit the tags').locator('input:focus').waitFor();
    await page.keyboard.type('experi');
    await page.getByRole('option', { name: 'Experimental', selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await form('Edit the tags').getByText('Experimental').waitFor();
    await page.keyboard.press('Control+Enter');
    await form('Edit the tags').waitFor({ state: 'detached' });
    await panel.getByRole('link', { name: 'Experimental' }).waitFor();
    expect(await stored(CUSTOMERS, 'editableSchemaMetadata')).toMatchObject({
      editableSchemaFieldInfo: [
        { fieldPath: 'full_name', description: 'As on the parcel' },
        { fieldPath: 'email', globalTags: { tags: [{ tag: 'urn:li:tag:experimental' }] } },
      ],
    });
    expect(suite.faults.splice(0).every((fault) => fault.includes('422'))).toBe(true);
  });

  it('an Undo that comes too late says so, and overwrites nothing', async () => {
    const page = await suite.open(entityPath(PONDS));
    await button('Edit the description').click();
    await page.getByRole('textbox', { name: 'Description' }).fill('Ponds');
    await save();
    await suite.catalog.http.write(PONDS, BY_PEOPLE, { description: 'Ponds and pools' });
    await button('Undo').click();
    await page.getByRole('status').getByText('Not undone: it has changed since').waitFor();
    expect(await stored(PONDS, BY_PEOPLE)).toMatchObject({ description: 'Ponds and pools' });
    expect(suite.faults.splice(0).every((fault) => fault.includes('422'))).toBe(true);
  });

  it('tags are added and removed in one change, which Undo takes back, and those of others stay', async () => {
    const page = await suite.open(entityPath(CUSTOMERS));
    const tags = (): Promise<JsonValue[]> => members(CUSTOMERS, 'globalTags', 'tags', 'tag');
    const [first] = await tags();
    await button('Edit the tags').click();
    await form('Edit the tags')
      .getByRole('button', { name: /^Remove/ })
      .first()
      .click();
    await pick('Add a tag', 'experi', 'Experimental');
    // Somebody else adds one in the meantime.
    await suite.catalog.http.ingest({
      urn: CUSTOMERS,
      aspectName: 'globalTags',
      value: stringifyJson([
        { op: 'add', path: '/tags/urn:li:tag:certified', value: { tag: 'urn:li:tag:certified' } },
      ]),
      members: { changeType: 'PATCH' },
    });
    await save();
    expect(await tags()).toEqual(['urn:li:tag:certified', 'urn:li:tag:experimental']);
    const about = page.getByRole('complementary', { name: 'About' });
    await about.getByRole('link', { name: 'Experimental' }).waitFor();
    await undo();
    expect((await tags()).sort()).toEqual(['urn:li:tag:certified', first]);
  });

  it('owners are added with their role and removed, and terms and the domain are chosen by name', async () => {
    await suite.open(entityPath(CUSTOMERS));
    const owners = (): Promise<JsonValue[]> => members(CUSTOMERS, 'ownership', 'owners', 'owner');
    const before = await owners();
    await button('Edit the owners').click();
    await form('Edit the owners').getByLabel('Role').selectOption('BUSINESS_OWNER');
    await pick('Add an owner', 'Sam Whit', 'Sam Whitaker');
    await button('Remove Maya Okafor').click();
    await save();
    expect(await stored(CUSTOMERS, 'ownership')).toMatchObject({
      owners: [
        { owner: 'urn:li:corpGroup:checkout', type: 'TECHNICAL_OWNER' },
        { owner: 'urn:li:corpuser:sam.whitaker', type: 'BUSINESS_OWNER' },
      ],
    });
    await undo();
    expect((await owners()).sort()).toEqual([...before].sort());
    await button('Edit the terms').click();
    await pick('Add a term', 'order', 'Order');
    await save();
    expect(await members(CUSTOMERS, 'glossaryTerms', 'terms', 'urn')).toContain(TERM);
    await button('Edit the domain').click();
    await pick('Choose a domain', 'trad', 'Trading');
    await save();
    expect(await stored(CUSTOMERS, 'domains')).toMatchObject({ domains: ['urn:li:domain:trading'] });
  });

  it('a deprecation and links are written, shown, and taken back', async () => {
    const page = await suite.open(entityPath(RIVERS));
    await button('Edit the deprecation').click();
    await page.getByLabel('Deprecated: nobody').check();
    await page.getByLabel('Why, and what to use instead').fill('Use the streams');
    await page.getByLabel('Decommissioned on').fill('2031-05-01');
    await save();
    await page.getByText('This entity is deprecated.').waitFor();
    await page.getByText('Use the streams').waitFor();
    expect(await stored(RIVERS, 'deprecation')).toMatchObject({
      deprecated: true,
      note: 'Use the streams',
      decommissionTime: Date.UTC(2031, 4, 1),
    });
    await undo();
    await page.getByText('This entity is deprecated.').waitFor({ state: 'detached' });
    await button('Edit the links').click();
    await form('Edit the links').getByLabel('Address').fill('https://example.org/rivers?all=1');
    await form('Edit the links').getByLabel('What it leads to').fill('The river atlas');
    await save();
    const link = page.getByRole('link', { name: 'The river atlas' });
    expect(await link.getAttribute('href')).toBe('https://example.org/rivers?all=1');
    await button('Edit the links').click();
    await button('Remove The river atlas').click();
    await save();
    await link.waitFor({ state: 'detached' });
    expect(await stored(RIVERS, 'institutionalMemory')).toEqual({ elements: [] });
  });

  it('structured properties get values of their type, and what the catalog rejects stays in the editor', async () => {
    await suite.catalog.http.write(DAYS, 'propertyDefinition', {
      qualifiedName: 'io.acme.days',
      displayName: 'Days to keep',
      valueType: 'urn:li:dataType:datahub.number',
      cardinality: 'MULTIPLE',
      entityTypes: ['urn:li:entityType:datahub.dataset'],
    });
    await suite.catalog.http.caughtUp();
    const page = await suite.open(entityPath(RIVERS));
    await button('Edit the properties').click();
    await pick('Choose a property', 'Days to', 'io.acme.days');
    const values = form('Edit the properties').getByLabel('io.acme.days, one value in each line');
    await values.fill('30\nmany');
    await button('Save').click();
    await page.getByRole('alert').waitFor();
    await values.fill('30\n90');
    await save();
    await page.getByText('30, 90').waitFor();
    expect(await stored(RIVERS, 'structuredProperties')).toMatchObject({
      properties: [{ propertyUrn: DAYS, values: [{ double: 30 }, { double: 90 }] }],
    });
    await undo();
    expect(await members(RIVERS, 'structuredProperties', 'properties', 'propertyUrn')).toEqual([]);
    expect(suite.faults.splice(0).every((fault) => fault.includes('422'))).toBe(true);
  });

  it('the past is not edited, nor anything without a connection', async () => {
    const page = await suite.open(entityPath(SALES_DAILY, `?at=${new Date().toISOString()}`));
    await suite.settled();
    expect(await page.getByRole('button', { name: /^Edit/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Back to now' }).click();
    await button('Edit the tags').waitFor();
    await page.context().setOffline(true);
    await page.getByLabel('Search the catalog').fill('anything');
    await page.getByText('No connection since').waitFor();
    const edit = button('Edit the tags');
    await until(async () => (await edit.getAttribute('aria-disabled')) === 'true');
    await page.context().setOffline(false);
    suite.faults.splice(0);
  });

  it('axe finds nothing on the open editors, in light and dark, on a phone too', async () => {
    const page = await suite.open(entityPath(SALES_DAILY));
    const names = ['description', 'owners', 'terms', 'tags', 'domain', 'links', 'properties', 'deprecation'];
    for (const name of names) await button(`Edit the ${name}`).click();
    for (const name of names) await form(`Edit the ${name}`).waitFor();
    // Each takes the focus when it has come, and a list of options closes without it.
    await form('Edit the deprecation').locator('input:focus').waitFor();
    await page.getByRole('combobox', { name: 'Add a tag' }).fill('experi');
    await page.getByRole('option', { name: 'Experimental' }).waitFor();
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await expectAccessible(width);
    }
  });
});

describe('editing without the right to', () => {
  const suite = pagesForSuite({ environment: { STRATALOG_AUTH: 'all', STRATALOG_TOKEN: TOKEN } });
  const headers = { authorization: `Bearer ${TOKEN}` };

  it('who may not write sees each button disabled, with the reason', async () => {
    const { http } = suite.catalog;
    await http.ingest({ urn: RIVERS, aspectName: 'status', value: { removed: false }, headers });
    const reader = stringifyJson({ name: 'reader', scopes: ['read'] });
    const made = await http.post('/operations?action=createToken', reader, headers);
    const page = await suite.open(
      `/ui/sign-in?then=${encodeURIComponent(entityPath(RIVERS).slice('/ui'.length))}`,
    );
    await page.getByLabel('Token').fill(at(made.json, 'value', 'token') as string);
    await page.getByRole('button', { name: 'Sign in' }).click();
    for (const name of ['Edit the description', 'Edit the owners']) {
      const button = page.getByRole('button', { name, exact: true, disabled: true });
      await button.waitFor();
      const reason = page.locator(`[id="${(await button.getAttribute('aria-describedby')) ?? ''}"]`);
      expect(await reason.innerText()).toContain('needs the scope write');
      await button.click({ force: true });
    }
    expect(await page.getByRole('form').count()).toBe(0);
    expect(await allFindings(page)).toEqual([]);
    expect(suite.faults.splice(0).every((fault) => fault.includes('403'))).toBe(true);
  });
});
