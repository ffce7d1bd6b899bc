import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { OidcIssuer, makeKeys } from '@stratalog/http/testing';
import { PagesSuite, pagesForSuite } from '../testing/browser/pages-suite';
import { freePort } from '../testing/catalog/free-port';

const TOKEN = 'an-operators-token-of-our-own';
const KEPT = 'JSON.stringify([{ ...localStorage }, document.cookie, location.href])';

describe('signing in on the web pages', () => {
  const suite = pagesForSuite({ environment: { STRATALOG_AUTH: 'all', STRATALOG_TOKEN: TOKEN } });

  it('a page asks for a token and leads back, and the token stays in memory', async () => {
    const page = await suite.open('/ui/search?q=rivers');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(new URL(page.url()).searchParams.get('then')).toContain('/search?q=rivers');
    await page.getByLabel('Token').fill('a-wrong-token');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Token').fill(TOKEN);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(/\/ui\/search\?q=rivers/);
    await page.getByText('Nothing found').waitFor();
    expect(await page.evaluate(KEPT)).not.toContain(TOKEN);
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).not.toContain(TOKEN);
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(suite.faults.splice(0).every((fault) => fault.includes('401'))).toBe(true);
  });

  it('the token stays on the tab on request, until the person signs out', async () => {
    const page = await suite.open('/ui/sign-in');
    await page.getByLabel('Stay signed in on this tab').check();
    await page.getByLabel('Token').fill(TOKEN);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('0 entities').waitFor();
    await page.reload();
    await page.getByText('0 entities').waitFor();
    expect(await page.evaluate(KEPT)).not.toContain(TOKEN);
    await page.getByRole('button', { name: 'Account and appearance' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    suite.faults.splice(0);
  });

  it('a page that is led to from elsewhere is one of the catalog', async () => {
    const page = await suite.open('/ui/sign-in?then=https://example.org/');
    await page.getByLabel('Token').fill(TOKEN);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('0 entities').waitFor();
    expect(new URL(page.url()).pathname).toBe('/ui/');
  });
});

describe('signing in at an identity provider', () => {
  const suite = new PagesSuite();
  let issuer: OidcIssuer;

  beforeAll(async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${String(port)}`;
    issuer = await OidcIssuer.start(await makeKeys('RS256'), `${url}/session/callback`);
    await suite.start({
      environment: {
        STRATALOG_PORT: String(port),
        STRATALOG_BASE_URL: url,
        STRATALOG_AUTH: 'all',
        STRATALOG_JWT_ISSUER: issuer.url,
        STRATALOG_JWT_AUDIENCE: 'https://catalog.example',
        STRATALOG_JWT_SCOPES: '* -> read',
        STRATALOG_OIDC_CLIENT_ID: 'catalog',
        STRATALOG_OIDC_CLIENT_SECRET: 'another-secret',
      },
    });
  });
  afterEach(() => suite.check());
  afterAll(async () => {
    await suite.end();
    await issuer.stop();
  });

  it('leads back to the page that a person wanted, until they sign out', async () => {
    const page = await suite.open('/ui/search?q=rivers');
    await page.getByRole('link', { name: 'Sign in with your organisation' }).click();
    await page.waitForURL(/\/ui\/search\?q=rivers/);
    await page.getByText('Nothing found').waitFor();
    await page.reload();
    await page.getByText('Nothing found').waitFor();
    expect(await page.evaluate('document.cookie')).toBe('');
    await page.getByRole('button', { name: 'Account and appearance' }).click();
    await page.getByRole('menuitem', { name: 'Sign out jane' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.goto(new URL('/ui/search?q=rivers', page.url()).href);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(suite.faults.splice(0).every((fault) => fault.includes('401'))).toBe(true);
  });

  it('says why a person was not signed in, and keeps the page that they wanted', async () => {
    issuer.person = undefined;
    const page = await suite.open('/ui/search?q=rivers');
    await page.getByRole('link', { name: 'Sign in with your organisation' }).click();
    await page.getByText('The identity provider did not sign you in').waitFor();
    issuer.person = { sub: 'jane' };
    await page.getByRole('link', { name: 'Sign in with your organisation' }).click();
    await page.waitForURL(/\/ui\/search\?q=rivers/);
    expect(suite.faults.splice(0).every((fault) => fault.includes('401'))).toBe(true);
  });
});
