import { afterEach, describe, expect, it } from '@jest/globals';
import type { AuditedCall } from '@stratalog/ports';
import { OwnHosts } from '../access/own-hosts';
import { bootWire, type BootedWire } from '../testing/boot-wire';
import { SampleModule } from '../testing/sample.module';
import type { HttpOptions } from './wire-adapter';

const TOKEN = 'open sesame';
const WRONG = 'Authorization: Bearer a-wrong-secret';

describe('the audit', () => {
  const recorded: AuditedCall[] = [];
  let wire: BootedWire | undefined;

  const boot = async (options: Partial<HttpOptions> = {}): Promise<BootedWire> => {
    recorded.length = 0;
    wire = await bootWire(SampleModule, {
      auth: { mode: 'all', tokens: [{ token: TOKEN, actor: 'urn:li:corpuser:admin' }] },
      audit: (call) => Promise.resolve(void recorded.push(call)),
      ...options,
    });
    return wire;
  };
  const stop = async (): Promise<void> => {
    await wire?.application.close();
    wire = undefined;
  };
  afterEach(stop);

  it('records a rejected call of any route, without its token', async () => {
    const { post, get } = await boot();
    await post('/entities?action=search', '{"input":"x"}', [WRONG]);
    await get('/nowhere?token=a-wrong-secret');
    expect(recorded).toEqual([
      {
        actor: 'urn:li:corpuser:unknown',
        address: '127.0.0.1',
        call: 'POST /entities search',
        parameters: {},
        outcome: 'rejected',
        status: 401,
        durationMs: expect.any(Number),
      },
      expect.objectContaining({ call: 'GET', status: 401, parameters: {} }),
    ]);
    expect(JSON.stringify(recorded)).not.toContain('wrong-secret');
  });

  it('names the token of the operator where it speaks for another user', async () => {
    const { post } = await boot();
    const ada = 'urn:li:corpuser:ada';
    const headers = [`Authorization: Bearer ${TOKEN}`, `X-DataHub-Actor: ${ada}`];
    expect((await post('/operations?action=restoreIndices', '{}', headers)).status).toBe(200);
    expect(recorded).toEqual([expect.objectContaining({ actor: ada, token: 'operator', outcome: 'done' })]);
  });

  it('records a flood of rejected calls once, and counts the rest', async () => {
    const { post } = await boot();
    for (let calls = 0; calls < 5; calls += 1) await post('/entities?action=search', '{}', [WRONG]);
    await stop();
    const counted = recorded.reduce((sum, { omitted = 0 }) => sum + 1 + omitted, 0);
    expect([counted, recorded.length < 5]).toEqual([5, true]);
  });

  it('records a call by a foreign host name', async () => {
    const { get } = await boot({ ownHosts: new OwnHosts(undefined) });
    await get('/health');
    expect(recorded).toEqual([expect.objectContaining({ call: 'GET /health', status: 403 })]);
  });

  it.each([
    [[], '127.0.0.1'],
    [['127.0.0.1'], '203.0.113.7'],
    [['loopback', '203.0.113.0/24'], '192.0.2.66'],
  ])('believes only the proxies %j about addresses', async (trustedProxies, address) => {
    const { get } = await boot({ trustedProxies });
    await get('/nowhere', ['X-Forwarded-For: 192.0.2.66, 203.0.113.7']);
    expect(recorded).toEqual([expect.objectContaining({ address })]);
  });

  it('knows the address of a call whose target Node rejects', async () => {
    const { get } = await boot();
    const { status } = await get('/entitiesV2/urn:li:tag:日');
    expect([status, recorded[0]?.address]).toEqual([401, '127.0.0.1']);
  });

  it('records the address of the connection when a trusted proxy sends none', async () => {
    const { get } = await boot({ trustedProxies: ['loopback'] });
    await get('/nowhere', ['X-Forwarded-For: unknown']);
    expect(recorded).toEqual([expect.objectContaining({ address: '127.0.0.1' })]);
  });
});
