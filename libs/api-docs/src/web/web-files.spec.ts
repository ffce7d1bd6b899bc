import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebFiles } from './web-files';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stratalog-web-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const textOf = (content: { readonly bytes: Buffer } | undefined) => content?.bytes.toString('utf8');

test('a page that reloads itself stands for the pages until they are built, and one without when that failed', () => {
  const files = new WebFiles(join(folder, 'site'));
  expect(files.page('')).toBeUndefined();
  const waiting = files.waitingPage();
  expect(textOf(waiting)).toContain('<h1>The pages are being built</h1>');
  expect(waiting.headers).toEqual({ 'cache-control': 'no-store', refresh: '1', 'retry-after': '1' });
  writeFileSync(join(folder, 'failed'), '');
  const failed = files.waitingPage();
  expect(textOf(failed)).toContain('<h1>The pages could not be built</h1>');
  expect(failed.headers).toEqual({ 'cache-control': 'no-store' });
  mkdirSync(join(folder, 'site'));
  writeFileSync(join(folder, 'site/index.html'), 'the pages at %ROOT%/ui/');
  expect(textOf(files.page('/gms'))).toBe('the pages at /gms/ui/');
});
