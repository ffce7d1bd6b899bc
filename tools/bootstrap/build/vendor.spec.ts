import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource, QueryFailedError } from 'typeorm';
import { removeOldVendors, vendorFolder } from './vendor.mjs';

let dist: string;
beforeEach(() => {
  dist = mkdtempSync(join(tmpdir(), 'stratalog-dist-'));
});
afterEach(() => {
  rmSync(dist, { recursive: true });
});

test('only the newest two folders of bundled packages stay, and everything else', () => {
  for (const [at, name] of ['vendor-c', 'vendor-a', 'apps', 'vendor-b', 'vendor-notes'].entries()) {
    mkdirSync(join(dist, name));
    utimesSync(join(dist, name), at, at);
  }
  removeOldVendors(dist);
  expect(readdirSync(dist).sort()).toEqual(['apps', 'vendor-a', 'vendor-b', 'vendor-notes']);
});

test('bundled packages define only the names that bundling changed, and classes have the names of their source', () => {
  const folder = vendorFolder();
  const helpers = readdirSync(folder)
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
    .filter((line) => line.includes('__defProp(target, "name"'));
  expect(helpers).toEqual([expect.stringContaining('target.prototype === undefined) ? target : __defProp(')]);
  expect([DataSource.name, QueryFailedError.name]).toEqual(['DataSource', 'QueryFailedError']);
});
