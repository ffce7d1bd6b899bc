import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@stratalog/testkit';
import { CatalogProcess, DataFolder, buildProgram } from './testing/catalog-process';
import { SmallDisk, whyNoSmallDisk } from './testing/small-disk';

const WAIT_MS = 180_000;
const MEGABYTE = 1024 * 1024;
const why = whyNoSmallDisk();
if (why !== undefined) declareNotRun({ what: 'full disks', why, missing: 'material' });

(why === undefined ? describe : describe.skip)('A full disk', () => {
  let folder: DataFolder;
  let running: CatalogProcess | undefined;
  let disk: SmallDisk | undefined;
  beforeAll(() => {
    buildProgram();
    folder = new DataFolder();
  });
  afterEach(async () => {
    await running?.end('SIGKILL');
    for (const pid of folder.processes()) process.kill(pid, 'SIGKILL');
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
    ['has no room for anything', 0],
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
      expect(await running?.end('SIGTERM')).toMatchObject({ code: 0 });
    },
    WAIT_MS,
  );
});
