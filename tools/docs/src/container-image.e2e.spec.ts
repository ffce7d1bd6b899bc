import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createScratchDatabase, type ScratchDatabase } from '@stratalog/runtime';
import { Program, ROOT } from '@stratalog/harness';
import { generate } from 'selfsigned';
import { ROLES, programFor } from '../../bootstrap/container.mjs';
import { DISTRIBUTED_APPS } from '../../bootstrap/workspace/workspace.mjs';
import { readPage } from './pages';

const START_MS = limitMs(180_000);
const ENTRY = 'tools/bootstrap/container.mjs';
const DOCKERFILE = readPage('Dockerfile');
const run = promisify(execFile);

/** The words of the last instruction of a kind, in its JSON form. */
const splitWords = (instruction: string): unknown => {
  const found = [...DOCKERFILE.matchAll(new RegExp(`^${instruction} (\\[.*\\])$`, 'gm'))].at(-1)?.[1];
  return JSON.parse(found ?? 'null');
};
const imageEnvironment = (): Record<string, string> =>
  Object.fromEntries(
    [...DOCKERFILE.matchAll(/^ENV (\w+)=(\S+)$/gm)].map(([, name = '', value = '']) => [name, value]),
  );

/** The exit code of the container's health check. */
const healthcheck = (environment: Readonly<Record<string, string>>): Promise<unknown> =>
  run(process.execPath, [join(ROOT, ENTRY), 'healthcheck'], { env: environment }).then(
    () => 0,
    (error: unknown) => (error as { readonly code?: unknown }).code,
  );

describe('the image', () => {
  it('has every role, the standalone catalog by default', () => {
    expect(ROLES.map((role) => `apps/${role}/main`).sort()).toEqual(
      ['apps/standalone/main', 'apps/cli/main', ...DISTRIBUTED_APPS].sort(),
    );
    expect([splitWords('ENTRYPOINT'), splitWords('CMD')]).toEqual([['stratalog'], ['standalone']]);
    expect(programFor([])).toEqual({ role: 'standalone', args: [] });
    expect(programFor(['--demo'])).toEqual({ role: 'standalone', args: ['--demo'] });
    expect(programFor(['cli', 'search', 'x'])).toEqual({ role: 'cli', args: ['search', 'x'] });
    expect(programFor(['standalone', '--demo'])).toEqual({ role: 'standalone', args: ['--demo'] });
  });

  it('lists its roles in one line', async () => {
    const failed = run(process.execPath, [join(ROOT, ENTRY), 'writers']);
    await expect(failed).rejects.toMatchObject({
      code: 2,
      stderr: `stratalog: "writers" is no role; allowed: ${ROLES.join(', ')}\n`,
    });
  });

  it('has the files that its programs read', () => {
    const scripts = ['container.mjs', 'workspace/workspace.mjs'].map((script) => `tools/bootstrap/${script}`);
    for (const path of ['models', 'apps/standalone/demo', ...scripts])
      expect(DOCKERFILE).toMatch(new RegExp(`^COPY .*\\b${path}\\b`, 'm'));
    expect(DOCKERFILE).toMatch(/^USER node$/m);
    expect(DOCKERFILE).toMatch(/^HEALTHCHECK .* CMD \["stratalog", "healthcheck"\]$/m);
  });

  describe('with its default settings', () => {
    const folder = mkdtempSync(join(tmpdir(), `stratalog-test-${String(process.pid)}-image-`));
    let database: ScratchDatabase;
    let catalog: Program;
    let port: string;
    const own = () => ({
      ...imageEnvironment(),
      STRATALOG_DATA_DIR: folder,
      STRATALOG_PORT: '0',
      DATABASE_URL: database.url,
    });

    beforeAll(async () => {
      await run(process.execPath, [join(ROOT, 'tools/bootstrap/start.mjs'), '--help']);
      database = await createScratchDatabase(process.env.STRATALOG_TEST_DATABASE_URL ?? '');
      catalog = new Program(ENTRY, {
        args: splitWords('CMD') as string[],
        environment: { PATH: process.env.PATH, ...own() },
      });
      port = await catalog.printed(/^stratalog ready http:\/\/0\.0\.0\.0:(\d+)$/m, START_MS);
    }, START_MS);
    afterAll(async () => {
      await catalog.stop('SIGKILL');
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    });

    it(
      'the health check passes under TLS too, and fails when nothing answers',
      async () => {
        const tls = {
          STRATALOG_TLS_CERT_FILE: join(folder, 'cert.pem'),
          STRATALOG_TLS_KEY_FILE: join(folder, 'key.pem'),
        };
        const { cert, private: key } = await generate([{ name: 'commonName', value: 'catalog.example' }], {
          keyType: 'ec',
          algorithm: 'sha256',
        });
        writeFileSync(tls.STRATALOG_TLS_CERT_FILE, cert);
        writeFileSync(tls.STRATALOG_TLS_KEY_FILE, key);
        const secure = new Program(ENTRY, {
          args: splitWords('CMD') as string[],
          environment: { PATH: process.env.PATH, ...own(), ...tls },
        });
        const securePort = await secure.printed(/^stratalog ready https:\/\/0\.0\.0\.0:(\d+)$/m, START_MS);
        expect(await healthcheck({ STRATALOG_PORT: securePort, ...tls })).toBe(0);
        await secure.stop();
        expect(await healthcheck({ STRATALOG_PORT: securePort, ...tls })).toBe(1);
      },
      START_MS,
    );

    it('the standalone catalog listens on every address, requires the token of its volume, and ends in order', async () => {
      const read = `http://127.0.0.1:${port}/entitiesV2/urn:li:tag:x`;
      const token = readFileSync(join(folder, 'operator-token'), 'utf8').trim();
      const [open, known] = [
        await fetch(read),
        await fetch(read, { headers: { authorization: `Bearer ${token}` } }),
      ];
      expect([open.status, known.status]).toEqual([401, 200]);
      expect(await healthcheck({ STRATALOG_PORT: port, STRATALOG_HOST: '0.0.0.0' })).toBe(0);
      expect(await catalog.stop()).toMatchObject({ code: 0, signal: null });
    });
  });
});
