import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { buildBundles } from '@stratalog/harness';
import { until } from '@stratalog/testkit';
import type { CatalogClient } from '../testing/catalog/catalog-client';
import { CatalogProcess, DataFolder } from '../testing/catalog/catalog-process';
import { SmallDisk, whyNoSmallDisk } from '../testing/catalog/small-disk';

const WAIT_MS = 180_000;
const MEGABYTE = 1024 * 1024;
const why = whyNoSmallDisk();
if (why !== undefined) declareNotRun({ what: 'full disks', why, missing: 'material' });

(why === undefined ? describe : describe.skip)('A full disk', () => {
  let folder: DataFolder;
  let running: CatalogProcess | undefined;
  let disk: SmallDisk | undefined;
  beforeAll(() => {
    buildBundles('apps/standalone/main');
    folder = new DataFolder();
  });
  afterEach(async () => {
    await running?.stop('SIGKILL');
    folder.killProcesses();
    await until(() => folder.processes().length === 0);
    disk?.unmount();
    disk = undefined;
  });
  afterAll(() => {
    folder.remove();
  });
  const start = (dataDir: string): CatalogProcess =>
    (running = new CatalogProcess({ STRATALOG_DATA_DIR: dataDir }));

  it.each([
    ['is full', 0],
    ['has no room for the files of the server', 8],
  ])(
    'that %s ends the first start with one line, and the next one works',
    async (_what, megabytes) => {
      const path = join(folder.path, `first-${String(megabytes)}`);
      mkdirSync(path);
      disk = SmallDisk.mount(path, 256);
      disk.fill(megabytes * MEGABYTE);
      const { code, stderr } = await start(path).ended;
      const lines = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
      expect([code, lines]).toEqual([
        1,
        [expect.stringMatching(/^stratalog: (The disk of|STRATALOG_DATA_DIR: ).*(full|no space left)/i)],
      ]);
      disk.free();
      await start(path).ready();
      expect(await running?.stop('SIGTERM')).toMatchObject({ code: 0 });
    },
    WAIT_MS,
  );

  it(
    'that is small leaves 64 MB to the log of PostgreSQL',
    async () => {
      const path = join(folder.path, 'small');
      mkdirSync(path);
      disk = SmallDisk.mount(path, 256);
      await start(path).ready();
      expect(readFileSync(join(path, 'postgres/postmaster.opts'), 'utf8')).toContain('"max_wal_size=64MB"');
      expect(await running?.stop('SIGTERM')).toMatchObject({ code: 0 });
    },
    WAIT_MS,
  );

  it(
    'on which the log of PostgreSQL lies: calls answer 503, the process stays, and all goes on by itself when there is room',
    async () => {
      const path = join(folder.path, 'later');
      await start(path).ready();
      await running?.stop('SIGTERM');
      disk = moveLog(join(path, 'postgres/pg_wal'), 128);

      const catalog = start(path);
      const http = await catalog.client();
      const serverPid = serverPidIn(path);
      disk.fill();
      const written: string[] = [];
      await until(async () => (await write(http, written)) === 503, WAIT_MS);
      await until(async () => (await http.get('/health')).status === 503, WAIT_MS);
      await until(() => serverPidIn(path) !== serverPid, WAIT_MS);
      expect((await http.get('/health')).status).toBe(503);
      expect((await http.get('/config')).status).toBe(200);

      disk.free();
      await until(async () => (await write(http, written)) === 200, WAIT_MS);
      await until(async () => (await http.get('/health')).status === 200, WAIT_MS);
      for (const urn of written) expect((await http.aspect(urn, 'tagProperties')).status).toBe(200);
      await until(async () => (await http.find('afterwards', { entity: 'tag' })).total >= 1, WAIT_MS);
      expect(await catalog.stop('SIGTERM')).toMatchObject({ code: 0 });
      expect(folder.processes()).toEqual([]);
    },
    WAIT_MS * 3,
  );

  it(
    'that large values have filled: with as much room again, everything is ready and found within a minute, and the server has room to start again',
    async () => {
      const path = join(folder.path, 'values');
      mkdirSync(path);
      disk = SmallDisk.mount(path, 256);
      await start(path).ready();
      await running?.stop('SIGTERM');
      // The files of the server take what they take; 200 MB are left for values.
      const size = Math.ceil(256 - disk.left + 200);
      disk.resize(size);
      const http = await start(path).client();
      const written: string[] = [];
      const writeAll = async (): Promise<void> => {
        while ((await writeWords(http, written)) === 200);
      };
      await Promise.all(Array.from({ length: 8 }, writeAll));
      await until(async () => (await http.get('/health')).status === 503, WAIT_MS);

      disk.resize(size + 205);
      const beganAt = performance.now();
      await until(async () => (await writeWords(http, written)) === 200, WAIT_MS);
      const isReady = async (): Promise<boolean> =>
        (await http.get('/health')).status === 200 &&
        (await http.find('afterwards', { entity: 'tag' })).total >= written.length;
      await until(isReady, WAIT_MS);
      expect(performance.now() - beganAt).toBeLessThan(limitMs(60_000));
      expect(await running?.stop('SIGTERM')).toMatchObject({ code: 0 });
      expect(disk.left).toBeGreaterThan(32);
    },
    WAIT_MS * 3,
  );

  /** A server that failed to start leaves no pid file. */
  function serverPidIn(path: string): string | undefined {
    const file = join(path, 'postgres/postmaster.pid');
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n')[0] : undefined;
  }

  /** Writes half a megabyte of incompressible text; records acknowledged writes. */
  async function write(http: CatalogClient, written: string[]): Promise<number> {
    const urn = `urn:li:tag:t${randomBytes(6).toString('hex')}`;
    const description = `afterwards ${randomBytes(256 * 1024).toString('hex')}`;
    const { status } = await http.ingest({
      urn,
      aspectName: 'tagProperties',
      value: { name: 't', description },
    });
    if (status === 200) written.push(urn);
    return status;
  }

  /**
   * Writes a value of some 200 kB with 300 words of its own, whose document and tokens take about as much as its two copies in the store;
   * records acknowledged writes.
   */
  async function writeWords(http: CatalogClient, written: string[]): Promise<number> {
    const urn = `urn:li:tag:t${randomBytes(6).toString('hex')}`;
    const words = Array.from({ length: 300 }, () => randomBytes(16).toString('hex'));
    const filler = randomBytes(95 * 1024).toString('hex');
    const { status } = await http.ingest({
      urn,
      aspectName: 'tagProperties',
      value: { name: 't', description: `afterwards ${words.join(' ')} ${filler}` },
    });
    if (status === 200) written.push(urn);
    return status;
  }

  /** Moves PostgreSQL's log to its own disk with this many free megabytes; each of its files takes 16. */
  function moveLog(path: string, megabytes: number): SmallDisk {
    const { uid, gid } = statSync(path);
    const aside = `${path}.aside`;
    renameSync(path, aside);
    mkdirSync(path);
    const files = readdirSync(aside).filter((name) => /^[0-9A-F]{24}$/.test(name));
    const mounted = SmallDisk.mount(path, files.length * 16 + megabytes);
    cpSync(aside, path, { recursive: true, preserveTimestamps: true });
    for (const name of ['.', ...readdirSync(path, { recursive: true, encoding: 'utf8' })])
      chownSync(join(path, name), uid, gid);
    chmodSync(path, 0o700);
    rmSync(aside, { recursive: true });
    return mounted;
  }
});
