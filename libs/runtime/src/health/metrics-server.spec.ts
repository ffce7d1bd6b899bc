import { get } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { OwnHosts } from '@stratalog/http';
import type { ConsumerProgress, TaskCount } from '@stratalog/ports';
import { Health } from './health';
import { startMetricsServer, type MetricsServer } from './metrics-server';

describe('the metrics server', () => {
  let server: MetricsServer;
  let counts: () => Promise<readonly TaskCount[]>;
  const options = (health: Health) => ({
    host: '127.0.0.1',
    port: 0,
    health,
    ownHosts: new OwnHosts(undefined),
    tasks: { countUnfinished: () => counts() },
    deadLetters: { countOpen: () => Promise.resolve(new Map()) },
    consumers: [],
    connectionUse: () => [],
  });

  beforeEach(async () => {
    counts = () => Promise.resolve([]);
    server = await startMetricsServer(options(new Health(['query'], [])));
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

  it('reports the tasks that have not ended, and everything else while the store does not answer', async () => {
    const read = async (): Promise<string> => (await fetch(`${server.url}/metrics`)).text();
    counts = () => Promise.resolve([{ kind: 'truncate-timeseries', state: 'running', count: 2 }]);
    expect(await read()).toContain(
      'stratalog_unfinished_tasks{kind="truncate-timeseries",state="running"} 2',
    );
    counts = () => Promise.reject(new Error('the store does not answer'));
    const text = await read();
    expect(text).not.toContain('stratalog_unfinished_tasks{');
    expect(text).toContain('stratalog_stage_state{stage="query",state="running"} 1');
  });

  it('reports that the clock is not plausible', async () => {
    const health = new Health([], [], { now: () => 0, doubt: () => 'it jumped' });
    const own = await startMetricsServer(options(health));
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
    await expect(startMetricsServer({ ...options(new Health([], [])), port })).rejects.toThrow(
      `STRATALOG_METRICS_PORT ${String(port)} on 127.0.0.1 is taken by another process`,
    );
  });
});

describe('the lag of a consumer that hangs', () => {
  const progress = (committedOffset: number, endOffset: number): ConsumerProgress =>
    new Map([[0, { committedOffset, endOffset }]]);
  const valueOf = (text: string, metric: string): number =>
    Number(
      new RegExp(`^stratalog_consumer_lag_${metric}{consumer="indexer",partition="0"} (.*)$`, 'm').exec(
        text,
      )?.[1],
    );

  it('grows in the metrics, and keeps no other metric away', async () => {
    let hung = false;
    const indexer = {
      name: 'indexer',
      progress: () => (hung ? new Promise<never>(() => undefined) : Promise.resolve(progress(3, 5))),
    };
    const writer = { name: 'writer', progress: () => Promise.resolve(progress(9, 9)) };
    const server = await startMetricsServer({
      host: '127.0.0.1',
      port: 0,
      health: new Health([], []),
      ownHosts: new OwnHosts(undefined),
      tasks: { countUnfinished: () => Promise.resolve([]) },
      deadLetters: { countOpen: () => Promise.resolve(new Map()) },
      consumers: [indexer, writer],
      connectionUse: () => [],
    });
    try {
      const read = async (): Promise<string> => (await fetch(`${server.url}/metrics`)).text();
      const before = valueOf(await read(), 'seconds');
      hung = true;
      const during = await read();
      expect(valueOf(during, 'records')).toBe(2);
      expect(during).toContain('stratalog_consumer_lag_records{consumer="writer",partition="0"} 0');
      const later = valueOf(await read(), 'seconds');
      expect([valueOf(during, 'seconds') > before, later > valueOf(during, 'seconds')]).toEqual([true, true]);
    } finally {
      await server.stop();
    }
  });
});
