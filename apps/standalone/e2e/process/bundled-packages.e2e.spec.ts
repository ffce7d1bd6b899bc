import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { buildBundles } from '@stratalog/harness';
import { createScratchDatabase, type ScratchDatabase } from '@stratalog/runtime';
import { CatalogProcess, DataFolder } from '../testing/catalog/catalog-process';

/** Collects the packages in CommonJS that Node loads from `node_modules`. */
const COLLECTOR = `
const { writeFileSync } = require('node:fs');
const extensions = require('node:module')._extensions;
const load = extensions['.js'];
const packages = new Set();
extensions['.js'] = (module, file) => {
  const name = /node_modules\\/((?:@[^/]+\\/)?[^/]+)\\//.exec(file)?.[1];
  if (name !== undefined) packages.add(name);
  return load(module, file);
};
process.on('exit', () => writeFileSync(process.env.PACKAGES_FILE, [...packages].join()));
`;

let database: ScratchDatabase;
beforeAll(async () => {
  buildBundles('apps/standalone/main');
  database = await createScratchDatabase(process.env.STRATALOG_TEST_DATABASE_URL ?? '');
});
afterAll(async () => {
  await database.drop();
});

// A package that is loaded twice has two states: codecs registered with one copy of kafkajs are unknown to the other.
it('a catalog loads its packages from the bundle alone', async () => {
  const folder = new DataFolder();
  const collector = join(folder.path, 'collector.cjs');
  const found = join(folder.path, 'packages');
  writeFileSync(collector, COLLECTOR);
  const catalog = new CatalogProcess({
    ...folder.environment,
    DATABASE_URL: database.url,
    NODE_OPTIONS: `--require=${collector}`,
    PACKAGES_FILE: found,
  });
  await catalog.client();
  await catalog.stop('SIGTERM');
  expect(readFileSync(found, 'utf8')).toBe('reflect-metadata');
  folder.remove();
});
