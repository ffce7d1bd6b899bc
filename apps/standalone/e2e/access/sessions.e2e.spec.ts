import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OidcIssuer, makeKeys } from '@stratalog/http/testing';
import { Site } from '../testing/catalog/booted-catalog';
import { freePort } from '../testing/catalog/free-port';

/** Cookies and redirects as a browser handles them, on one machine. */
class Browser {
  private readonly jar = new Map<string, string>();

  /** Requests an address, and takes the cookies of the answer. */
  async request(address: string, init: RequestInit = {}): Promise<Response> {
    const { host } = new URL(address);
    const headers = new Headers(init.headers);
    const cookies = [...this.jar].filter(([key]) => key.startsWith(`${host} `));
    if (cookies.length > 0) {
      headers.set(
        'cookie',
        cookies.map(([key, value]) => `${key.slice(host.length + 1)}=${value}`).join('; '),
      );
    }
    const answer = await fetch(address, { ...init, headers, redirect: 'manual' });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === '' || /max-age=0/i.test(cookie)) this.jar.delete(`${host} ${name}`);
      else this.jar.set(`${host} ${name}`, value);
    }
    return answer;
  }

  /** Follows redirects until an answer is none, or leads below `/ui/`. Returns that address. */
  async navigate(address: string): Promise<string> {
    let next = address;
    for (let steps = 0; steps < 10; steps++) {
      const answer = await this.request(next);
      const location = answer.headers.get('location');
      if (location === null)
        throw new Error(`${next} answered ${String(answer.status)}: ${await answer.text()}`);
      next = new URL(location, next).href;
      if (new URL(next).pathname.startsWith('/ui/')) return next;
    }
    throw new Error('too many redirects');
  }

  cookie(address: string, name: string): string | undefined {
    return this.jar.get(`${new URL(address).host} ${name}`);
  }

  keep(address: string, name: string, value: string): void {
    this.jar.set(`${new URL(address).host} ${name}`, value);
  }
}

const IN_SESSION = { 'x-stratalog-session': '1' };
const URN = 'urn:li:tag:sessions';

describe('people who sign in in a browser', () => {
  let issuer: OidcIssuer;
  let site: Site;
  let url: string;

  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${String(port)}`;
    issuer = await OidcIssuer.start(await makeKeys('RS256'), `${url}/session/callback`);
    site = await Site.create();
    await site.boot({
      environment: {
        STRATALOG_PORT: String(port),
        STRATALOG_BASE_URL: url,
        STRATALOG_AUTH: 'all',
        STRATALOG_JWT_ISSUER: issuer.url,
        STRATALOG_JWT_AUDIENCE: 'https://catalog.example',
        STRATALOG_JWT_ACTOR_CLAIM: 'email',
        STRATALOG_JWT_SCOPES: '* -> read; groups=stewards -> write; groups=operators -> operate,admin',
        STRATALOG_OIDC_CLIENT_ID: 'catalog',
        STRATALOG_OIDC_CLIENT_SECRET: 'another-secret',
      },
    });
  });
  afterAll(async () => {
    await site.remove();
    await issuer.stop();
  });

  const signIn = async (groups: readonly string[], then = '/ui/'): Promise<Browser> => {
    issuer.person = { sub: 'u-17', email: 'jane@example.com', groups };
    const browser = new Browser();
    const page = await browser.navigate(`${url}/session/sign-in?${new URLSearchParams({ then }).toString()}`);
    expect(page).toBe(`${url}${then}`);
    return browser;
  };
  const readSession = async (
    browser: Browser,
    headers: Record<string, string> = IN_SESSION,
  ): Promise<unknown> => {
    const answer = await browser.request(`${url}/session`, { headers });
    return answer.ok ? answer.json() : answer.status;
  };
  const write = async (browser: Browser, headers: Record<string, string>): Promise<number> => {
    const answer = await browser.request(`${url}/aspects?action=ingestProposal`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({
        proposal: {
          entityType: 'tag',
          entityUrn: URN,
          aspectName: 'tagProperties',
          changeType: 'UPSERT',
          aspect: { contentType: 'application/json', value: JSON.stringify({ name: 'sessions' }) },
        },
      }),
    });
    return answer.status;
  };
  it('the configuration says where people sign in', async () => {
    const answer = await fetch(`${url}/config`);
    expect(await answer.json()).toMatchObject({ signIn: '/session/sign-in' });
  });

  it('a person gets the page that they wanted, and the rights that their claims give', async () => {
    const browser = await signIn(['stewards'], '/ui/e/urn%3Ali%3Atag%3Asessions?at=2026-01-01');
    expect(await readSession(browser)).toEqual({
      kind: 'token',
      name: 'jane@example.com',
      actor: 'urn:li:corpuser:jane@example.com',
      scopes: ['read', 'write'],
      open: [],
      expiresMillis: expect.any(Number),
      isSession: true,
    });
    expect(await write(browser, IN_SESSION)).toBe(200);
    expect(await write(await signIn(['guests']), IN_SESSION)).toBe(403);
  });

  it('the cookie counts in calls with the header only, and never from a page of another site', async () => {
    const browser = await signIn(['stewards']);
    expect(await readSession(browser, {})).toBe(401);
    expect(await write(browser, {})).toBe(401);
    expect(await write(browser, { ...IN_SESSION, origin: 'https://evil.example' })).toBe(403);
    expect(await write(browser, { ...IN_SESSION, 'sec-fetch-site': 'cross-site' })).toBe(403);
  });

  it('scripts cannot read the cookie, and other sites do not send it', async () => {
    const browser = new Browser();
    issuer.person = { sub: 'u-17', email: 'jane@example.com' };
    const cookies: string[] = [];
    let next = `${url}/session/sign-in`;
    while (!new URL(next).pathname.startsWith('/ui/')) {
      const answer = await browser.request(next);
      if (next.startsWith(url)) cookies.push(...answer.headers.getSetCookie());
      next = new URL(answer.headers.get('location') ?? '', next).href;
    }
    expect(cookies.map((cookie) => cookie.replace(/=[^;]*/, '=…'))).toEqual([
      'stratalog-sign-in=…; Path=/session; Max-Age=600; HttpOnly; SameSite=Lax',
      'stratalog-sign-in=…; Path=/session; Max-Age=0; HttpOnly; SameSite=Lax',
      'stratalog-session=…; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict',
    ]);
  });

  it('a session that is signed out ends at once', async () => {
    const browser = await signIn([]);
    const token = browser.cookie(url, 'stratalog-session') ?? '';
    const answer = await browser.request(`${url}/session`, { method: 'DELETE', headers: IN_SESSION });
    expect(answer.status).toBe(200);
    expect(browser.cookie(url, 'stratalog-session')).toBeUndefined();
    browser.keep(url, 'stratalog-session', token);
    expect(await readSession(browser)).toBe(401);
  });

  it('a token that signs out stays valid', async () => {
    const operator = await signIn(['operators']);
    const made = await operator.request(`${url}/operations?action=createToken`, {
      method: 'POST',
      headers: IN_SESSION,
      body: JSON.stringify({ name: 'kept', scopes: ['read'] }),
    });
    const { value } = (await made.json()) as { readonly value: { readonly token: string } };
    const headers = { authorization: `Bearer ${value.token}` };
    expect((await fetch(`${url}/session`, { method: 'DELETE', headers })).status).toBe(200);
    expect((await fetch(`${url}/session`, { headers })).status).toBe(200);
  });

  it('sessions are listed apart from tokens, and sign-ins are recorded', async () => {
    const operator = await signIn(['operators']);
    const read = async (path: string): Promise<unknown> =>
      (await operator.request(`${url}/operations/${path}`, { headers: IN_SESSION })).json();
    const { tokens } = (await read('tokens')) as { readonly tokens: readonly { readonly name: string }[] };
    expect(tokens.map(({ name }) => name)).not.toContain('jane@example.com');
    expect(await read('tokens?isSession=true&count=1')).toMatchObject({
      tokens: [{ name: 'jane@example.com', state: 'valid' }],
    });
    expect(await read('audit?count=1&call=GET%20/session/callback')).toMatchObject({
      records: [{ actor: 'urn:li:corpuser:jane@example.com', parameters: {}, outcome: 'done' }],
    });
  });

  it('a failed sign-in leads to the page that says why', async () => {
    issuer.person = undefined;
    const browser = new Browser();
    expect(await browser.navigate(`${url}/session/sign-in?then=/ui/domains`)).toBe(
      `${url}/ui/sign-in?problem=denied&then=%2Fui%2Fdomains`,
    );
    expect(await new Browser().navigate(`${url}/session/callback?code=x&state=y`)).toBe(
      `${url}/ui/sign-in?problem=expired`,
    );
    const other = new Browser();
    await other.request(`${url}/session/sign-in`);
    expect(await other.navigate(`${url}/session/callback?code=x&state=y`)).toBe(
      `${url}/ui/sign-in?problem=denied&then=%2Fui%2F`,
    );
    expect(other.cookie(url, 'stratalog-session')).toBeUndefined();
  });

  it.each(['https://evil.example/', '//evil.example/', '/ui/../\\evil', '/entities', 'ui/'])(
    'rejects %s as the page to see after signing in',
    async (then) => {
      const address = `${url}/session/sign-in?${new URLSearchParams({ then }).toString()}`;
      expect((await fetch(address, { redirect: 'manual' })).status).toBe(400);
    },
  );
});

describe('a catalog without an identity provider', () => {
  it('signs nobody in, and says who makes a call', async () => {
    const site = await Site.create();
    try {
      const { url } = await site.boot();
      expect((await fetch(`${url}/session/sign-in`, { redirect: 'manual' })).status).toBe(404);
      expect((await fetch(`${url}/session/callback?code=x`, { redirect: 'manual' })).status).toBe(404);
      const answer = await fetch(`${url}/session`);
      expect(await answer.json()).toEqual({
        kind: 'anonymous',
        name: 'anonymous',
        actor: 'urn:li:corpuser:unknown',
        scopes: [],
        open: ['reads', 'writes', 'destroys'],
        isSession: false,
      });
      expect(await (await fetch(`${url}/config`)).json()).not.toHaveProperty('signIn');
    } finally {
      await site.remove();
    }
  });
});
