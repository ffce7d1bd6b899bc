import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { AppInstances } from './app-instances';
import { AppWatch } from './app-watch';

/** Longer than an answer counts. */
const STANDSTILL_MS = 7_500;

describe('AppWatch', () => {
  let app: Server;
  let instances: AppInstances;
  afterEach(async () => {
    await instances.stop();
    app.closeAllConnections();
    app.close();
  });

  it('keeps the last answer of an app while the proxy itself stands still', async () => {
    app = createServer((_request, response) => {
      response.end(JSON.stringify({ roles: [{ name: 'ingest', status: 'ready' }] }));
    });
    await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${String((app.address() as AddressInfo).port)}`;
    instances = new AppInstances([url]);
    const none = { all: () => [] };
    const watch = new AppWatch({ ingest: instances, query: none, graph: none, admin: none });
    await instances.start();
    await watch.untilAsked();
    expect(watch.apps()).toEqual([{ app: 'ingest', status: 'ready' }]);
    // Nothing runs in this process meanwhile, as under too much load.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STANDSTILL_MS);
    expect(watch.apps()).toEqual([{ app: 'ingest', status: 'ready' }]);
    expect(watch.isRoleReady('ingest')).toBe(true);
  });
});
