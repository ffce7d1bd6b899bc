import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { until } from '@stratalog/testkit';
import { startProxy, type RunningProxy } from './start-proxy';

const ROLES = ['ingest', 'query', 'graph', 'admin', 'search'].map((name) => ({ name, status: 'ready' }));
/** Later than a probe waits that asks each app anew. */
const LATE_MS = 3_000;
const STANDSTILL_MS = 2_000;
/** Of the questions about its readiness, which come one by one, the busy app answers some late, and one never. */
const QUESTIONS = 9;
const LATE: ReadonlySet<number> = new Set([3, 7]);
const UNANSWERED = 6;

describe('the health of the proxy', () => {
  const servers: Server[] = [];
  let proxy: RunningProxy;
  afterEach(async () => {
    await proxy.stop();
    for (const server of servers.splice(0)) close(server);
  });

  async function startApp(answer: (response: ServerResponse) => void): Promise<Server> {
    const app = createServer((_request, response) => {
      answer(response);
    });
    servers.push(app);
    await once(app.listen(0, '127.0.0.1'), 'listening');
    return app;
  }

  it('does not flap while an app and the proxy are busy, and changes once the app is gone', async () => {
    let questions = 0;
    const late: (() => void)[] = [];
    const busy = await startApp((response) => {
      questions += 1;
      const dueAt = performance.now() + LATE_MS;
      if (LATE.has(questions))
        late.push(() => {
          if (performance.now() >= dueAt) sayReady(response);
        });
      else if (questions !== UNANSWERED) sayReady(response);
    });
    const [ingest, other] = [urlOf(busy), urlOf(await startApp(sayReady))];
    const apps = { ingest: [ingest], query: [other], graph: [other], admin: [other] };
    proxy = await startProxy({ host: '127.0.0.1', port: 0, apps, vendor: 'linkedin' });
    const code = async (): Promise<number> => (await fetch(`${proxy.url}/health`)).status;

    const codes = new Set<number>();
    let stoodStillFor = 0;
    await until(async () => {
      codes.add(await code());
      for (const answer of late) answer();
      if (questions % 3 === 0 && questions > stoodStillFor) {
        stoodStillFor = questions;
        standStill();
      }
      return questions >= QUESTIONS;
    });
    expect([...codes]).toEqual([200]);

    close(busy);
    await until(async () => (await code()) === 503);
  });
});

function sayReady(response: ServerResponse): void {
  if (!response.writableEnded) response.end(JSON.stringify({ roles: ROLES, catalog: ROLES }));
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

function close(server: Server): void {
  server.closeAllConnections();
  server.close();
}

/** Nothing runs in this process meanwhile, as under too much load. */
function standStill(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STANDSTILL_MS);
}
