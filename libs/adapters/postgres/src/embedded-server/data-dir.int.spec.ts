import { describe, expect, test } from '@jest/globals';
import { InvalidSettingError, UnavailableError } from '@stratalog/domain';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  keepRow,
  kill,
  newFolder,
  open,
  spawnOwner,
  startOwner,
  usedFolder,
} from './embedded-server.fixture';
import { openEmbeddedServer } from './open-embedded-server';

describe('a data folder', () => {
  test('has one owner; a second start reports its pid and start', async () => {
    const dataDir = usedFolder();
    const before = Date.now();
    const owner = await startOwner(dataDir);
    const rejected = await openEmbeddedServer({ dataDir }).catch((error: unknown) => error);
    expect(rejected).toBeInstanceOf(UnavailableError);
    const { message, details } = rejected as UnavailableError;
    expect(message).toContain(`${dataDir} is in use by process ${owner.child.pid} since 20`);
    expect(details).toMatchObject({ dataDir, pid: owner.child.pid });
    expect(Date.parse(String(details.since))).toBeGreaterThan(before - 2_000);
    await keepRow(owner.url);
  });

  test('gets one owner when several start at once', async () => {
    const dataDir = usedFolder();
    const starts = await Promise.allSettled([1, 2, 3].map(() => open(dataDir)));
    expect(starts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('is created again when its first start was killed', async () => {
    const dataDir = newFolder();
    const clusterStarted = new Promise<void>((resolve) => {
      const watcher = watch(dataDir, { persistent: false }, (_kind, name) => {
        if (name?.startsWith('postgres.init-') !== true) return;
        watcher.close();
        resolve();
      });
    });
    const child = spawnOwner(dataDir);
    await clusterStarted;
    await kill(child);
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false);

    const server = await open(dataDir);

    await keepRow(server.url);
    expect(readdirSync(dataDir).filter((name) => name.startsWith('postgres.init-'))).toEqual([]);
  });

  test('is created again when its cluster holds no data', async () => {
    const dataDir = newFolder();
    mkdirSync(join(dataDir, 'postgres/base/1'), { recursive: true });
    writeFileSync(join(dataDir, 'postgres/PG_VERSION'), '18\n');
    const server = await open(dataDir);
    await keepRow(server.url);
  });

  test.each([
    ['a database without its control file', ['base/16384/PG_VERSION', 'PG_VERSION'], '18', 'is damaged'],
    ['another major version', ['global/pg_control', 'PG_VERSION'], '17', 'was written by PostgreSQL 17'],
  ])('is rejected and left unchanged with %s', async (_what, files, version, said) => {
    const dataDir = newFolder();
    for (const file of files) {
      mkdirSync(join(dataDir, 'postgres', file, '..'), { recursive: true });
      writeFileSync(join(dataDir, 'postgres', file), version);
    }
    const rejected = await openEmbeddedServer({ dataDir }).catch((error: unknown) => error);
    expect(rejected).toBeInstanceOf(InvalidSettingError);
    expect((rejected as Error).message).toContain(said);
    for (const file of files) expect(existsSync(join(dataDir, 'postgres', file))).toBe(true);
  });

  test('is returned to the server account when another user restored it', async () => {
    const dataDir = usedFolder();
    if (process.getuid?.() === 0) spawnSync('chown', ['-R', '0:0', dataDir]);
    const server = await open(dataDir);
    await keepRow(server.url);
  });

  test('is rejected when its password is missing', async () => {
    const dataDir = usedFolder();
    rmSync(join(dataDir, 'password'));
    await expect(openEmbeddedServer({ dataDir })).rejects.toThrow(`${dataDir}/password is missing`);
  });

  test('is rejected when its password is wrong', async () => {
    const dataDir = usedFolder();
    writeFileSync(join(dataDir, 'password'), 'another');
    await expect(openEmbeddedServer({ dataDir })).rejects.toThrow(
      `"password" does not open ${dataDir}/postgres`,
    );
    expect(readdirSync(dataDir).sort()).toEqual(['password', 'postgres', 'postgres.log']);
  });

  test('is rejected when it is a file', async () => {
    const path = join(newFolder(), 'file');
    writeFileSync(path, '');
    await expect(openEmbeddedServer({ dataDir: join(path, 'data') })).rejects.toThrow(
      `${path}/data cannot be used`,
    );
  });
});
