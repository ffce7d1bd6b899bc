import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stratalog-only-one-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** A process that takes the lock and records when it gets and releases it. */
async function worker(): Promise<number | null> {
  const script = `
    import { appendFileSync } from 'node:fs';
    import { setTimeout as pause } from 'node:timers/promises';
    import { onlyOne } from ${JSON.stringify(join(import.meta.dirname, 'only-one.mjs'))};
    const note = (word) => appendFileSync(${JSON.stringify(join(folder, 'notes'))}, word + ' ');
    await onlyOne(${JSON.stringify(join(folder, 'lock'))}, () => undefined, async () => {
      note('begin');
      await pause(20);
      note('end');
    });
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}

test('processes that want the same lock work one after another, and all get it', async () => {
  expect(await Promise.all([1, 2, 3, 4].map(worker))).toEqual([0, 0, 0, 0]);
  expect(readFileSync(join(folder, 'notes'), 'utf8')).toBe('begin end '.repeat(4));
  expect(readdirSync(join(folder, 'lock'))).toEqual([]);
});

test('a holder that was killed blocks no other process', async () => {
  mkdirSync(join(folder, 'lock'));
  writeFileSync(join(folder, 'lock', '4194304.1.aaaaaaaa'), '');
  expect(await worker()).toBe(0);
  expect(readdirSync(join(folder, 'lock'))).toEqual([]);
});
