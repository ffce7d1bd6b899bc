import { describe, expect, it } from '@jest/globals';
import { until } from '@stratalog/testkit';
import { catalogsForSuite } from '../testing/catalog/catalog-process';

const WAIT_MS = limitMs(120_000);

describe('An embedded server that hangs', () => {
  const { folder, start } = catalogsForSuite();

  it(
    'makes writes answer 503 until the running catalog has killed and restarted it',
    async () => {
      const running = start({
        STRATALOG_SERVER_HANG_MS: String(limitMs(6_000)),
        STRATALOG_COMMIT_TIMEOUT_MS: '500',
      });
      const http = await running.client();
      const write = async (name: string): Promise<number> => {
        const urn = `urn:li:tag:${name}`;
        return (await http.ingest({ urn, aspectName: 'tagProperties', value: { name } })).status;
      };
      await until(async () => (await write('before')) === 200);
      const server = folder.serverPid();

      // Every process that works in the folder belongs to the server.
      for (const pid of folder.processes()) process.kill(pid, 'SIGSTOP');
      expect(await write('meanwhile')).toBe(503);

      await until(async () => (await write('after')) === 200, WAIT_MS);
      expect(folder.serverPid()).not.toBe(server);
      expect((await http.aspect('urn:li:tag:before', 'tagProperties')).status).toBe(200);
      await until(async () => (await http.get('/health')).status === 200, WAIT_MS);
      await until(async () => (await http.find('after', { entity: 'tag' })).total >= 1, WAIT_MS);

      const { code, stderr } = await running.stop('SIGTERM');
      expect(code).toBe(0);
      expect(stderr).toContain(`PostgreSQL (process ${String(server)}) hangs: for `);
      expect(folder.processes()).toEqual([]);
    },
    3 * WAIT_MS,
  );
});
