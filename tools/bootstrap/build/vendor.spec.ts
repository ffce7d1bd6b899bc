import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeOldVendors } from './vendor.mjs';

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
