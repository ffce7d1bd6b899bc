import { get } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { OwnHosts } from '@stratalog/http';
import { Health } from './health';
import { startMetricsServer, type MetricsServer } from './metrics-server';

describe('the metrics server', () => {
  let server: MetricsServer;

  beforeEach(async () => {
    server = await startMetricsServer('127.0.0.1', 0, new Health(['query'], []), new OwnHosts(undefined));
  });
  afterEach(() => server.stop());

  it('reports the state of each stage and the resources of the process', async () => {
    const answer = await fetch(`${server.url}/metrics`);
    const text = await answer.text();
    expect(answer.headers.get('content-type')).toContain('text/plain');
    expect(text).toContain('stratalog_stage_state{stage="query",state="running"} 1');
    expect(text).toContain('stratalog_clock_plausible 1');
    expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
  });

  it('reports that the clock is not plausible', async () => {
    const health = new Health([], [], { now: () => 0, doubt: () => 'it jumped' });
    const own = await startMetricsServer('127.0.0.1', 0, health, new OwnHosts(undefined));
    const text = await (await fetch(`${own.url}/metrics`)).text();
    await own.stop();
    expect(text).toContain('stratalog_clock_plausible 0');
    expect(text).toContain('stratalog_stage_state{stage="clock",state="retrying"} 1');
  });

  it('answers to its own names only', async () => {
    const ask = (host: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        get(`${server.url}/metrics`, { headers: { host } }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        }).on('error', reject);
      });
    expect([await ask('localhost:1'), await ask('rebound.example')]).toEqual([200, 403]);
  });

  it('serves nothing else', async () => {
    expect((await fetch(server.url)).status).toBe(404);
    expect((await fetch(`${server.url}/metrics`, { method: 'POST' })).status).toBe(404);
  });

  it('names its setting when the port is taken', async () => {
    const port = Number(new URL(server.url).port);
    await expect(
      startMetricsServer('127.0.0.1', port, new Health([], []), new OwnHosts(undefined)),
    ).rejects.toThrow(`STRATALOG_METRICS_PORT ${String(port)} on 127.0.0.1 is taken by another process`);
  });
});
