import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { buildBundles } from '@stratalog/harness';
import { createScratchDatabase, type ScratchSession } from '@stratalog/runtime';
import { until } from '@stratalog/testkit';
import type { JsonObject } from '@stratalog/json';
import type { CatalogClient } from '../testing/catalog/catalog-client';
import { CatalogProcess, DataFolder } from '../testing/catalog/catalog-process';
import { SmallDisk, whyNoSmallDisk } from '../testing/catalog/small-disk';

const WAIT_MS = limitMs(180_000);
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
    'a full disk that %s ends the first start with one line, and the next one works',
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
    'a full disk that is small leaves 64 MB to the log of PostgreSQL',
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
    'a full disk on which the log of PostgreSQL lies: calls answer 503, the process stays, and all goes on by itself when there is room',
    async () => {
      const path = join(folder.path, 'later');
      await start(path).ready();
      await running?.stop('SIGTERM');
      disk = moveLog(join(path, 'postgres/pg_wal'), 128);

      const catalog = start(path);
      const http = await catalog.client();
      const serverPid = serverPidIn(path);
      const written: string[] = [];
      expect(await write(http, written)).toBe(200);
      const other = await otherSession(path);
      disk.fill();
      await until(async () => (await write(http, written)) === 503, WAIT_MS);
      await until(async () => (await http.get('/health')).status === 503, WAIT_MS);
      await exhaustLog(other);
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
    'a full disk that documents fill keeps room for the server, and all of them are found once there is more',
    async () => {
      const path = join(folder.path, 'documents');
      mkdirSync(path);
      disk = SmallDisk.mount(path, 256);
      await start(path).ready();
      await running?.stop('SIGTERM');
      // The files of the server take what they take.
      const size = Math.ceil(256 - disk.left + 200);
      disk.resize(size);
      const http = await start(path).client();
      const serverPid = serverPidIn(path);
      const mounted = disk;
      const written: string[] = [];
      const isDown = async (): Promise<boolean> => (await http.get('/health')).status === 503;
      // Few documents are missing when the disk is full.
      do {
        await writeDocuments(http, written, 10);
        await until(async () => (await isDown()) || (await countFound(http)) >= written.length, WAIT_MS);
      } while (!(await isDown()));
      const { body, status } = await http.ingest({
        urn: 'urn:li:tag:rejected',
        aspectName: 'tagProperties',
        value: { name: 'rejected' },
      });
      expect([status, body]).toEqual([503, expect.stringMatching(/has \d+ MB left, and writes need 96 MB/)]);

      disk.resize(size + 205);
      await until(async () => (await writeWords(http, written)) === 200, WAIT_MS);
      await writeDocuments(http, written, 20);
      await until(async () => {
        expect(mounted.left).toBeGreaterThan(16);
        return (await countFound(http)) >= written.length;
      }, WAIT_MS);
      expect((await http.get('/health')).status).toBe(200);
      expect(serverPidIn(path)).toBe(serverPid);
      expect(await running?.stop('SIGTERM')).toMatchObject({ code: 0 });
    },
    WAIT_MS * 4,
  );

  /** Counts what a search finds of the documents; none while it is not answered. */
  async function countFound(http: CatalogClient): Promise<number> {
    const { status, json } = await http.search('afterwards', { entity: 'tag' });
    return status === 200 ? Number(((json as JsonObject).value as JsonObject).numEntities) : 0;
  }

  /** A server that failed to start leaves no pid file. */
  function serverPidIn(path: string): string | undefined {
    const file = join(path, 'postgres/postmaster.pid');
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n')[0] : undefined;
  }

  /** Opens a session of another program on the server of a data folder. */
  async function otherSession(path: string): Promise<ScratchSession> {
    const port = readFileSync(join(path, 'postgres/postmaster.pid'), 'utf8').split('\n')[3] ?? '';
    const password = readFileSync(join(path, 'password'), 'utf8').trim();
    const other = await createScratchDatabase(`postgres://stratalog:${password}@127.0.0.1:${port}/stratalog`);
    return other.session();
  }

  /** Writes until the server gives up. */
  async function exhaustLog(session: ScratchSession): Promise<void> {
    await session.query('create table filler (content text)');
    const fill = 'insert into filler select md5(n::text) from generate_series(1, 100000) n';
    const filled = (async () => {
      for (;;) await session.query(fill);
    })();
    await expect(filled).rejects.toThrow();
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

  /** Writes some documents, several at a time, as long as writes succeed. */
  async function writeDocuments(http: CatalogClient, written: string[], count: number): Promise<void> {
    let left = count;
    const writeOn = async (): Promise<void> => {
      while (left-- > 0 && (await writeWords(http, written)) === 200);
    };
    await Promise.all(Array.from({ length: 8 }, writeOn));
  }

  /**
   * Writes 2,000 words that no other document has: some 66 kB, which take ten times as much in the search index. Records acknowledged
   * writes.
   */
  async function writeWords(http: CatalogClient, written: string[]): Promise<number> {
    const urn = `urn:li:tag:t${randomBytes(6).toString('hex')}`;
    const words = Array.from({ length: 2_000 }, () => randomBytes(16).toString('hex'));
    const { status } = await http.ingest({
      urn,
      aspectName: 'tagProperties',
      value: { name: 't', description: `afterwards ${words.join(' ')}` },
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
