import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { VERSION } from './version';

it.each(['../../../package.json', '../package.json'])('the version is that of %s', (path) => {
  const manifest = JSON.parse(readFileSync(join(import.meta.dirname, path), 'utf8')) as { version: string };
  expect(VERSION).toBe(manifest.version);
});
