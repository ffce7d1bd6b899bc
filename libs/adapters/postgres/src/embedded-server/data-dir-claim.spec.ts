import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { InvalidSettingError, UnavailableError } from '@stratalog/domain';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claimDataDir } from './data-dir-claim';
import { processStart } from './process-identity';

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'stratalog-claim-'));
});

afterEach(() => {
  rmSync(dataDir, { recursive: true, force: true });
});

test('a folder has one owner, and the next after its release', async () => {
  const first = await claimDataDir(dataDir);
  await expect(claimDataDir(dataDir)).rejects.toThrow(UnavailableError);
  first.release();
  (await claimDataDir(dataDir)).release();
  expect(readdirSync(dataDir)).toEqual([]);
});

test('of many concurrent claims at most one succeeds', async () => {
  const claims = await Promise.allSettled(Array.from({ length: 20 }, () => claimDataDir(dataDir)));
  expect(claims.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1);
  expect(readdirSync(dataDir).length).toBeLessThanOrEqual(1);
});

test('a claim expires when its process has ended or another process has its pid', async () => {
  writeFileSync(join(dataDir, 'owner.4194304.boot-1.aa.claim'), '');
  writeFileSync(join(dataDir, `owner.${process.pid}.boot-1.bb.claim`), '');
  (await claimDataDir(dataDir)).release();
  expect(readdirSync(dataDir)).toEqual([]);
});

test('a rejected claim names the owning process and the time', async () => {
  writeFileSync(join(dataDir, `owner.${process.ppid}.${processStart(process.ppid) ?? ''}.cc.claim`), '');
  await expect(claimDataDir(dataDir)).rejects.toThrow(
    new RegExp(`${dataDir} is in use by process ${process.ppid} since \\d{4}-`),
  );
});

test('a missing folder is rejected by name', async () => {
  await expect(claimDataDir(join(dataDir, 'none'))).rejects.toThrow(InvalidSettingError);
});
