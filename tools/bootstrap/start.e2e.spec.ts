import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Program, ROOT, plainEnvironment, waitFor } from '@stratalog/harness';
import { onlyOne } from './workspace/only-one.mjs';

const SOURCES = [
  'apps',
  'libs',
  'models',
  'tools',
  'tsconfig.json',
  'tsconfig.base.json',
  'package-lock.json',
];
const LIMIT_MS = limitMs(120_000);

let folder: string;
let clone: string;
let running: Program | undefined;

/** A clone of its own: other suites use what is built in this one. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stratalog-start-'));
  clone = join(folder, 'clone');
  for (const name of SOURCES) cpSync(join(ROOT, name), join(clone, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
});

afterEach(() => running?.stop());

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Runs what `npm start` does; resolves with the address when the catalog is ready. */
async function start(): Promise<string> {
  running = new Program(process.execPath, {
    isCommand: true,
    args: [join(clone, 'tools/bootstrap/start.mjs')],
    environment: { ...plainEnvironment(), STRATALOG_PORT: '0', STRATALOG_DATA_DIR: join(folder, 'data') },
  });
  return running.printed(/^stratalog ready (\S+)$/m, LIMIT_MS);
}

const titleAt = async (url: string): Promise<string> =>
  /<title>(.*)<\/title>/.exec(await (await fetch(`${url}/ui/`)).text())?.[1] ?? '';

test(
  'the catalog answers while its web pages are being built, and says so in their place',
  async () => {
    const main = join(clone, 'apps/web/src/main.tsx');
    const source = readFileSync(main, 'utf8');
    writeFileSync(main, `${source}\n}`);
    const failing = await start();
    await waitFor(async () => (await titleAt(failing)) === 'The pages could not be built · Stratalog', {
      what: 'the failure',
      limitMs: LIMIT_MS,
    });
    expect((await fetch(`${failing}/config`)).status).toBe(200);
    expect(running?.stderr).toContain('apps/web/src/main.tsx');
    await running?.stop();

    writeFileSync(main, source);
    // A build waits as long as this process has the lock.
    const url = await onlyOne(
      join(clone, 'dist/.locks/build'),
      () => undefined,
      async () => {
        const ready = await start();
        expect((await fetch(`${ready}/config`)).status).toBe(200);
        const waiting = await fetch(`${ready}/ui/search?q=a`);
        expect([waiting.status, waiting.headers.get('refresh')]).toEqual([503, '1']);
        expect(await waiting.text()).toContain('The pages are being built');
        return ready;
      },
    );
    await waitFor(async () => (await fetch(`${url}/ui/`)).status === 200, {
      what: 'the pages',
      limitMs: LIMIT_MS,
    });
    await running?.stop();

    await start();
    expect(running?.stderr).not.toContain('built ');
  },
  LIMIT_MS,
);
