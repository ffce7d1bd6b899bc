import { beforeAll, describe, expect, it } from '@jest/globals';
import { stringifyJson, type JsonObject, type JsonValue } from '@stratalog/json';
import { until } from '@stratalog/testkit';
import { allFindings } from '../testing/browser/browser';
import { CUSTOMERS, SALES_DAILY, entityPath, pagesForSuite } from '../testing/browser/pages-suite';
import { at } from '../testing/catalog/catalog-client';
import {
  BY_PEOPLE,
  Editing,
  RIVERS,
  aConcurrentWriteLosesNothing,
  anEditedDescriptionStays,
} from './checks/editing';

const TOKEN = 'an-operators-token-of-our-own';
const PONDS = 'urn:li:dataset:(urn:li:dataPlatform:hive,edited.ponds,PROD)';
const DAYS = 'urn:li:structuredProperty:io.acme.days';
const TERM = 'urn:li:glossaryTerm:Sales.Order';

describe('editing on the page of an entity', () => {
  const suite = pagesForSuite({ hasDemo: true });

  beforeAll(async () => {
    for (const urn of [RIVERS, PONDS])
      await suite.catalog.http.write(urn, 'datasetProperties', { description: 'By a connector' });
  });

  const editing = new Editing(suite);
  const members = async (urn: string, name: string, field: string, member: string): Promise<JsonValue[]> => {
    const elements = ((await editing.stored(urn, name))?.[field] ?? []) as JsonObject[];
    return elements.map((each) => each[member] ?? null);
  };
  const pick = async (label: string, text: string, name: string): Promise<void> => {
    await suite.page.getByRole('combobox', { name: label }).fill(text);
    await suite.page.getByRole('option', { name }).first().click();
  };

  it('an edited description survives a reload, a search finds it at once, and Undo takes it back', () =>
    anEditedDescriptionStays(suite));

  it('Escape cancels and gives the focus back, and what has not changed is not written', async () => {
    const page = await suite.open(entityPath(PONDS));
    const text = page.getByRole('textbox', { name: 'Description' });
    await editing.button('Edit the description').press('Enter');
    await page.locator('textarea:focus').waitFor();
    await page.keyboard.type('Not to be kept. ');
    expect(await text.inputValue()).toContain('Not to be kept. ');
    await page.keyboard.press('Escape');
    await editing.form('Edit the description').waitFor({ state: 'detached' });
    await page.locator('button:focus', { hasText: 'Edit the description' }).waitFor();
    await page.keyboard.press('Enter');
    expect(await text.inputValue()).toBe('By a connector');
    await text.press('Control+Enter');
    await editing.form('Edit the description').waitFor({ state: 'detached' });
    expect(await editing.stored(PONDS, BY_PEOPLE)).toBeUndefined();
  });

  it('a concurrent write leads to both texts side by side, and nothing is lost', () =>
    aConcurrentWriteLosesNothing(suite));

  it('a column is described without touching the others, and Escape leaves its panel open', async () => {
    const page = await suite.open(entityPath(CUSTOMERS, '/columns?column=email'));
    const panel = page.getByRole('complementary', { name: 'Column email' });
    const text = page.getByRole('textbox', { name: 'Description' });
    await editing.button('Edit the description').click();
    await text.press('Escape');
    await text.waitFor({ state: 'detached' });
    await editing.button('Edit the description').click();
    await text.fill('Where the receipts go');
    // Somebody else describes another column in the meantime: that is no conflict.
    await suite.catalog.http.write(CUSTOMERS, 'editableSchemaMetadata', {
      editableSchemaFieldInfo: [{ fieldPath: 'full_name', description: 'As on the parcel' }],
    });
    await editing.save();
    await panel.getByText('Where the receipts go').waitFor();
    expect(await editing.stored(CUSTOMERS, 'editableSchemaMetadata')).toMatchObject({
      editableSchemaFieldInfo: [
        { fieldPath: 'full_name', description: 'As on the parcel' },
        { fieldPath: 'email', description: 'Where the receipts go' },
      ],
    });
    await editing.undo();
    await panel.getByText('Where the receipts go').waitFor({ state: 'detached' });
    await editing.button('Edit the terms').click();
    await editing.form('Edit the terms').waitFor();
    await editing.button('Edit the tags').press('Enter');
    await editing
      .form('Edit the tags')
      .getByText('From a connector')
      .getByRole('link', { name: 'PII' })
      .waitFor();
    await editing.expectAccessible();
    await editing.form('Edit the tags').locator('input:focus').waitFor();
    await page.keyboard.type('experi');
    await page.getByRole('option', { name: 'Experimental', selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await editing.form('Edit the tags').getByText('Experimental').waitFor();
    await page.keyboard.press('Control+Enter');
    await editing.form('Edit the tags').waitFor({ state: 'detached' });
    await panel.getByRole('link', { name: 'Experimental' }).waitFor();
    expect(await editing.stored(CUSTOMERS, 'editableSchemaMetadata')).toMatchObject({
      editableSchemaFieldInfo: [
        { fieldPath: 'full_name', description: 'As on the parcel' },
        { fieldPath: 'email', globalTags: { tags: [{ tag: 'urn:li:tag:experimental' }] } },
      ],
    });
    expect(suite.faults.splice(0).every((fault) => fault.includes('422'))).toBe(true);
  });

  it('an Undo that comes too late says so, and overwrites nothing', async () => {
    const page = await suite.open(entityPath(PONDS));
    await editing.button('Edit the description').click();
    await page.getByRole('textbox', { name: 'Description' }).fill('Ponds');
    await editing.save();
    await suite.catalog.http.write(PONDS, BY_PEOPLE, { description: 'Ponds and pools' });
    await editing.button('Undo').click();
    await page.getByRole('status').getByText('Not undone: it has changed since').waitFor();
    expect(await editing.stored(PONDS, BY_PEOPLE)).toMatchObject({ description: 'Ponds and pools' });
    expect(suite.faults.splice(0).every((fault) => fault.includes('422'))).toBe(true);
  });

  it('tags are added and removed in one change, which Undo takes back, and those of others stay', async () => {
    const page = await suite.open(entityPath(CUSTOMERS));
    const tags = (): Promise<JsonValue[]> => members(CUSTOMERS, 'globalTags', 'tags', 'tag');
    const [first] = await tags();
    await editing.button('Edit the tags').click();
    await editing
      .form('Edit the tags')
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
    await editing.save();
    expect(await tags()).toEqual(['urn:li:tag:certified', 'urn:li:tag:experimental']);
    const about = page.getByRole('complementary', { name: 'About' });
    await about.getByRole('link', { name: 'Experimental' }).waitFor();
    await editing.undo();
    expect((await tags()).sort()).toEqual(['urn:li:tag:certified', first]);
  });

  it('owners are added with their role and removed, and terms and the domain are chosen by name', async () => {
    await suite.open(entityPath(CUSTOMERS));
    const owners = (): Promise<JsonValue[]> => members(CUSTOMERS, 'ownership', 'owners', 'owner');
    const before = await owners();
    await editing.button('Edit the owners').click();
    await editing.form('Edit the owners').getByLabel('Role').selectOption('BUSINESS_OWNER');
    await pick('Add an owner', 'Sam Whit', 'Sam Whitaker');
    await editing.button('Remove Maya Okafor').click();
    await editing.save();
    expect(await editing.stored(CUSTOMERS, 'ownership')).toMatchObject({
      owners: [
        { owner: 'urn:li:corpGroup:checkout', type: 'TECHNICAL_OWNER' },
        { owner: 'urn:li:corpuser:sam.whitaker', type: 'BUSINESS_OWNER' },
      ],
    });
    await editing.undo();
    expect((await owners()).sort()).toEqual([...before].sort());
    await editing.button('Edit the terms').click();
    await pick('Add a term', 'order', 'Order');
    await editing.save();
    expect(await members(CUSTOMERS, 'glossaryTerms', 'terms', 'urn')).toContain(TERM);
    await editing.button('Edit the domain').click();
    await pick('Choose a domain', 'trad', 'Trading');
    await editing.save();
    expect(await editing.stored(CUSTOMERS, 'domains')).toMatchObject({ domains: ['urn:li:domain:trading'] });
  });

  it('a deprecation and links are written, shown, and taken back', async () => {
    const page = await suite.open(entityPath(RIVERS));
    await editing.button('Edit the deprecation').click();
    await page.getByLabel('Deprecated: nobody').check();
    await page.getByLabel('Why, and what to use instead').fill('Use the streams');
    await page.getByLabel('Decommissioned on').fill('2031-05-01');
    await editing.save();
    await page.getByText('This entity is deprecated.').waitFor();
    await page.getByText('Use the streams').waitFor();
    expect(await editing.stored(RIVERS, 'deprecation')).toMatchObject({
      deprecated: true,
      note: 'Use the streams',
      decommissionTime: Date.UTC(2031, 4, 1),
    });
    await editing.undo();
    await page.getByText('This entity is deprecated.').waitFor({ state: 'detached' });
    await editing.button('Edit the links').click();
    await editing.form('Edit the links').getByLabel('Address').fill('https://example.org/rivers?all=1');
    await editing.form('Edit the links').getByLabel('What it leads to').fill('The river atlas');
    await editing.save();
    const link = page.getByRole('link', { name: 'The river atlas' });
    expect(await link.getAttribute('href')).toBe('https://example.org/rivers?all=1');
    await editing.button('Edit the links').click();
    await editing.button('Remove The river atlas').click();
    await editing.save();
    await link.waitFor({ state: 'detached' });
    expect(await editing.stored(RIVERS, 'institutionalMemory')).toEqual({ elements: [] });
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
    await editing.button('Edit the properties').click();
    await pick('Choose a property', 'Days to', 'io.acme.days');
    const values = editing.form('Edit the properties').getByLabel('io.acme.days, one value in each line');
    await values.fill('30\nmany');
    await editing.button('Save').click();
    await page.getByRole('alert').waitFor();
    await values.fill('30\n90');
    await editing.save();
    await page.getByText('30, 90').waitFor();
    expect(await editing.stored(RIVERS, 'structuredProperties')).toMatchObject({
      properties: [{ propertyUrn: DAYS, values: [{ double: 30 }, { double: 90 }] }],
    });
    await editing.undo();
    expect(await members(RIVERS, 'structuredProperties', 'properties', 'propertyUrn')).toEqual([]);
    expect(suite.faults.splice(0).every((fault) => fault.includes('422'))).toBe(true);
  });

  it('the past is not edited, nor anything without a connection', async () => {
    const page = await suite.open(entityPath(SALES_DAILY, `?at=${new Date().toISOString()}`));
    await suite.settled();
    expect(await page.getByRole('button', { name: /^Edit/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Back to now' }).click();
    await editing.button('Edit the tags').waitFor();
    await page.context().setOffline(true);
    await page.getByLabel('Search the catalog').fill('anything');
    await page.getByText('No connection since').waitFor();
    const edit = editing.button('Edit the tags');
    await until(async () => (await edit.getAttribute('aria-disabled')) === 'true');
    await page.context().setOffline(false);
    suite.faults.splice(0);
  });

  it('axe finds nothing on the open editors, in light and dark, on a phone too', async () => {
    const page = await suite.open(entityPath(SALES_DAILY));
    const names = ['description', 'owners', 'terms', 'tags', 'domain', 'links', 'properties', 'deprecation'];
    for (const name of names) await editing.button(`Edit the ${name}`).click();
    for (const name of names) await editing.form(`Edit the ${name}`).waitFor();
    // Each takes the focus when it has come, and a list of options closes without it.
    await editing.form('Edit the deprecation').locator('input:focus').waitFor();
    await page.getByRole('combobox', { name: 'Add a tag' }).fill('experi');
    await page.getByRole('option', { name: 'Experimental' }).waitFor();
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await editing.expectAccessible(width);
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
