import { afterEach, describe, expect, it } from '@jest/globals';
import { CallLimits, type LimitOptions } from '../access/call-limits';
import type { AuthMode } from '../access/authenticator';
import { bootWire, type BootedWire } from '../testing/boot-wire';
import type { RawAnswer } from '../testing/exchange';
import { SampleModule } from '../testing/sample.module';

const GOOD = 'Authorization: Bearer open sesame';
const WRONG = 'Authorization: Bearer None';
const FROM = 'X-Forwarded-For: 203.0.113.7';
const NEIGHBOUR = 'X-Forwarded-For: 203.0.113.8';

describe('limits of calls', () => {
  let wire: BootedWire | undefined;
  let nowMs = 1_780_000_000_000;

  const boot = async (mode: AuthMode, limits: Partial<LimitOptions>): Promise<BootedWire> => {
    wire = await bootWire(SampleModule, {
      auth: {
        mode,
        guardsDestruction: true,
        tokens: [
          { token: 'open sesame', actor: 'urn:li:corpuser:admin' },
          { token: 'other', actor: 'urn:li:corpuser:other' },
        ],
      },
      trustedProxies: ['loopback'],
      limits: new CallLimits({
        readsPerSecond: 0,
        writesPerSecond: 0,
        maxFailedTokens: 0,
        now: () => nowMs,
        ...limits,
      }),
    });
    return wire;
  };
  afterEach(async () => {
    await wire?.application.close();
    wire = undefined;
  });
  /** The statuses of calls, one after the other. */
  const repeat = async (times: number, call: () => Promise<RawAnswer>): Promise<readonly number[]> => {
    const statuses: number[] = [];
    for (let at = 0; at < times; at += 1) statuses.push((await call()).status);
    return statuses;
  };

  it('limits lock out an address that guesses, also with a valid token, and let others in', async () => {
    const { get } = await boot('all', { maxFailedTokens: 3 });
    const read = (...headers: string[]): Promise<RawAnswer> => get('/entitiesV2/urn:li:tag:a', headers);
    expect(await repeat(4, () => read(WRONG, FROM))).toEqual([401, 401, 401, 429]);
    const locked = await read(GOOD, FROM);
    expect([locked.status, locked.headers['retry-after'], locked.json]).toMatchObject([
      429,
      '1',
      { status: 429, message: 'Too many wrong tokens came from your address; try again after 1 s' },
    ]);
    expect(locked.headers['x-restli-error-response']).toBe('true');
    expect((await read(GOOD, NEIGHBOUR)).status).toBe(200);
    nowMs += 1_000;
    expect((await read(GOOD, FROM)).status).toBe(200);
    // One more guess locks for twice as long.
    expect((await read(WRONG, FROM)).status).toBe(401);
    expect((await read(GOOD, FROM)).headers['retry-after']).toBe('2');
  });

  it('limits lock out neither programs of this machine, nor calls without a token, nor calls that need none', async () => {
    const { get } = await boot('all', { maxFailedTokens: 3 });
    const read = (...headers: string[]): Promise<RawAnswer> => get('/entitiesV2/urn:li:tag:a', headers);
    expect(await repeat(8, () => read(WRONG))).toEqual(Array(8).fill(401));
    expect((await read(GOOD)).status).toBe(200);
    expect(await repeat(8, () => read(FROM))).toEqual(Array(8).fill(401));
    expect((await read(GOOD, FROM)).status).toBe(200);
    await wire?.application.close();
    const open = await boot('operations', { maxFailedTokens: 3 });
    const statuses = await repeat(8, () => open.get('/entitiesV2/urn:li:tag:a', [WRONG, FROM]));
    expect(statuses).toEqual(Array(8).fill(200));
  });

  it('limits lock out an address that guesses on a call that only some may make', async () => {
    const { send } = await boot('operations', { maxFailedTokens: 3 });
    const head = ['DELETE /relationships?urn=urn:li:tag:a HTTP/1.1', 'Host: x', WRONG, FROM, '', ''];
    expect(await repeat(4, () => send(head.join('\r\n')))).toEqual([401, 401, 401, 429]);
  });

  it('limits bound the rate of reads and of writes for each caller', async () => {
    const { get, post } = await boot('all', { readsPerSecond: 1, writesPerSecond: 1 });
    const read = (token = GOOD): Promise<RawAnswer> => get('/entitiesV2/urn:li:tag:a', [token]);
    expect((await repeat(12, read)).filter((status) => status === 200)).toHaveLength(10);
    const { status, headers } = await read();
    expect([status, Number(headers['retry-after'])]).toEqual([429, expect.any(Number)]);
    expect((await read('Authorization: Bearer other')).status).toBe(200);
    const write = (): Promise<RawAnswer> => post('/entities?action=ingest', '{}', [GOOD]);
    expect((await repeat(12, write)).filter((each) => each === 200)).toHaveLength(10);
    expect(await repeat(12, () => get('/health'))).toEqual(Array(12).fill(200));
    nowMs += Number(headers['retry-after']) * 1_000;
    expect((await read()).status).toBe(200);
  });

  it('limits bound the rate of each address where callers have no token', async () => {
    const { get } = await boot('none', { readsPerSecond: 1 });
    const read = (from: string): Promise<RawAnswer> => get('/entitiesV2/urn:li:tag:a', [from]);
    expect((await repeat(12, () => read(FROM))).filter((status) => status === 200)).toHaveLength(10);
    expect((await read(NEIGHBOUR)).status).toBe(200);
  });

  it('count a tunnelled read once', async () => {
    const { send } = await boot('none', { readsPerSecond: 1 });
    const body = 'urn=x&types=a';
    const tunnelled = [
      'POST /relationships HTTP/1.1',
      'Host: x',
      'X-HTTP-Method-Override: GET',
      'Content-Type: application/x-www-form-urlencoded',
      `Content-Length: ${String(body.length)}`,
      '',
      body,
    ].join('\r\n');
    expect((await repeat(12, () => send(tunnelled))).filter((status) => status === 200)).toHaveLength(10);
  });
});
