import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { VERSION } from './version';

it('the version is that of the package', () => {
  const manifest = readFileSync(join(import.meta.dirname, '../../../../package.json'), 'utf8');
  expect((JSON.parse(manifest) as { version: string }).version).toBe(VERSION);
});
