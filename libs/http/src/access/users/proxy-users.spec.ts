import { afterEach, describe, expect, it } from '@jest/globals';
import type { AuditedCall } from '@stratalog/ports';
import type { AuthMode } from '../authenticator';
import { bootWire, type BootedWire } from '../../testing/boot-wire';
import { SampleModule } from '../../testing/sample.module';

const TOKEN = 'Authorization: Bearer open sesame';
const ADA = 'X-Remote-User: ada@example.com';
const SEARCH = '/entities?action=search';

describe('a user whom a proxy names', () => {
  const recorded: AuditedCall[] = [];
  let wire: BootedWire | undefined;
  afterEach(async () => {
    await wire?.application.close();
    recorded.length = 0;
  });

  const boot = async (proxies: readonly string[], mode: AuthMode = 'all'): Promise<BootedWire> => {
    wire = await bootWire(SampleModule, {
      auth: {
        mode,
        tokens: [{ token: 'open sesame', actor: 'urn:li:corpuser:admin' }],
        proxyUsers: { header: 'x-remote-user', proxies, scopes: ['read', 'write'], urnNamespace: 'li' },
      },
      trustedProxies: ['loopback'],
      audit: (call) => Promise.resolve(void recorded.push(call)),
    });
    return wire;
  };
  const search = async (headers: readonly string[], mode?: AuthMode, proxies = ['loopback']) => {
    const { post } = await boot(proxies, mode);
    const { status, json } = await post(SEARCH, '{"input":"x"}', headers);
    return { status, json: json as { value?: { actor?: string }; message?: string } };
  };

  it.each<readonly [string, readonly string[], AuthMode, string]>([
    ['is the caller', [ADA], 'all', 'ada@example.com'],
    ['is the caller of an open call too', [ADA], 'operations', 'ada@example.com'],
    ['is no user without authentication', [ADA], 'none', 'unknown'],
    ['does not count with a token', [ADA, TOKEN], 'all', 'admin'],
    ['speaks for no other', [ADA, 'X-DataHub-Actor: urn:li:corpuser:grace'], 'all', 'ada@example.com'],
    ['cannot look like a urn', ['X-Remote-User: a:(b)'], 'all', 'a%3A%28b%29'],
    ['is absent when the header is empty', ['X-Remote-User:', TOKEN], 'all', 'admin'],
  ])('%s', async (_name, headers, mode, actor) => {
    const { status, json } = await search(headers, mode);
    expect([status, json.value?.actor]).toEqual([200, `urn:li:corpuser:${actor}`]);
  });

  it.each(['admin', 'Admin', 'unknown', '__datahub_system'])('cannot be called %s', async (name) => {
    const { status, json } = await search([`X-Remote-User: ${name}`]);
    expect([status, json.message]).toEqual([401, expect.stringContaining('names no single user')]);
  });

  it('has the scopes of the settings, and a name in audit records', async () => {
    const { post } = await boot(['loopback']);
    const { status, json } = await post('/operations?action=restoreIndices', '{}', [ADA]);
    expect([status, json]).toMatchObject([
      403,
      { message: expect.stringContaining('user "ada@example.com" (user:ada@example.com) has read, write') },
    ]);
    expect(recorded).toMatchObject([
      { actor: 'urn:li:corpuser:ada@example.com', token: 'user:ada@example.com' },
    ]);
  });

  it.each([
    ['no header', []],
    ['an empty one', ['X-Remote-User:']],
    ['a repeated one', [ADA, 'X-Remote-User: grace']],
    ['several names', ['X-Remote-User: ada, grace']],
    ['a byte beyond ASCII', ['X-Remote-User: \u00e4da']],
    ['a name that is too long', [`X-Remote-User: ${'x'.repeat(257)}`]],
    ['a name that is too long for a urn', [`X-Remote-User: ${'('.repeat(200)}`]],
    ['a wrong token with it', [ADA, 'Authorization: Bearer None']],
  ])('is not known by %s', async (_name, headers) => {
    expect((await search(headers)).status).toBe(401);
  });

  it.each([[[]], [[TOKEN]], [['X-Forwarded-For: 192.0.2.1']]])(
    'is rejected from an address that is no trusted proxy, with %j',
    async (more) => {
      const { status, json } = await search([ADA, ...more], 'all', ['192.0.2.1']);
      expect([status, json.message]).toEqual([
        403,
        'The header x-remote-user is accepted from trusted proxies only; this call came from 127.0.0.1',
      ]);
      expect(recorded).toMatchObject([{ status: 403, actor: 'urn:li:corpuser:unknown' }]);
    },
  );

  it('is rejected from a stranger in the modes that check callers, and never on public routes', async () => {
    expect((await search([ADA], 'operations', ['192.0.2.1'])).status).toBe(403);
    await wire?.application.close();
    const { get } = await boot(['192.0.2.1']);
    expect((await get('/health', [ADA])).status).toBe(200);
  });

  it('is known by the connection also where Node rejects the target', async () => {
    const { get } = await boot(['192.0.2.1']);
    expect((await get('/entitiesV2/urn:li:tag:\u65e5', [ADA])).status).toBe(403);
    await wire?.application.close();
    const trusted = await boot(['loopback']);
    expect((await trusted.get('/entitiesV2/urn:li:tag:\u65e5', [ADA])).status).toBe(200);
  });
});
