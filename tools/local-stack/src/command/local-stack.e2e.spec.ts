import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Program, ROOT } from '@stratalog/harness';

const SCRIPT = 'tools/bootstrap/local-stack.mjs';
const COMMAND = join(ROOT, SCRIPT);
const LIMIT_MS = limitMs(300_000);
/** Given servers are not started, and the test does not check whether they run. */
const GIVEN = {
  KAFKA_BROKERS: 'broker.invalid:9092',
  ELASTICSEARCH_URL: 'http://engine.invalid:9200',
  DATABASE_URL: 'postgres://database.invalid/stratalog',
};

describe('npm run local-stack', () => {
  const folder = mkdtempSync(join(tmpdir(), `stratalog-test-${process.pid}-stack-`));
  beforeAll(() => {
    const built = spawnSync(process.execPath, [COMMAND, '--help'], { encoding: 'utf8' });
    expect(built.stdout).toMatch(/^Usage: npm run local-stack/);
  }, LIMIT_MS);
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs until a line is printed, then sends the signal. */
  const runUntilSignal = async (
    environment: NodeJS.ProcessEnv,
    signal: NodeJS.Signals,
  ): Promise<{ pid: number; code: number | null; printed: string }> => {
    const program = new Program(SCRIPT, {
      args: ['--no-docker'],
      environment: { ...process.env, ...environment },
    });
    await program.printed(/ DATABASE_URL=.+\n/);
    const { code, stdout: printed } = await program.stop(signal);
    return { pid: program.pid, code, printed };
  };

  it('uses given addresses unchanged', async () => {
    const line = Object.entries(GIVEN)
      .map(([name, value]) => `${name}=${value}`)
      .join(' ');
    expect(await runUntilSignal(GIVEN, 'SIGINT')).toMatchObject({ code: 0, printed: `${line}\n` });
  });

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'stops what it started at %s, and leaves nothing',
    async (signal) => {
      const { pid, code, printed } = await runUntilSignal({ ...GIVEN, DATABASE_URL: '' }, signal);
      expect(printed).toMatch(/ DATABASE_URL=postgres:\/\/stratalog:[^@]+@127\.0\.0\.1:\d+\/stratalog\n$/);
      expect(code).toBe(0);
      expect(readdirSync(tmpdir()).filter((name) => name.startsWith(`stratalog-stack-${pid}-`))).toEqual([]);
    },
    LIMIT_MS,
  );

  describe('where a program is missing', () => {
    /** Only the named programs are on the PATH. */
    const runWith = (programs: readonly string[]): { status: number | null; stderr: string } => {
      const path = mkdtempSync(join(folder, 'path-'));
      for (const program of programs) {
        const found = spawnSync('sh', ['-c', `readlink -f "$(command -v ${program})"`], { encoding: 'utf8' });
        symlinkSync(found.stdout.trim(), join(path, program));
      }
      const cache = join(folder, 'cache');
      mkdirSync(cache, { recursive: true });
      return spawnSync(process.execPath, [COMMAND, '--no-docker'], {
        encoding: 'utf8',
        env: {
          ...process.env,
          ...GIVEN,
          KAFKA_BROKERS: '',
          PATH: path,
          JAVA_HOME: '',
          STRATALOG_CACHE_DIR: cache,
        },
      });
    };

    it('says how to get Java', () => {
      const { status, stderr } = runWith([]);
      expect(stderr).toContain('java cannot be run. Install Java 17 or later');
      expect(status).toBe(1);
    });

    it('says how to get Maven', () => {
      if (spawnSync('java', ['-version']).error !== undefined) {
        declareNotRun({ what: 'the message about Maven', why: 'there is no Java', missing: 'service' });
        return;
      }
      const { status, stderr } = runWith(['java']);
      expect(stderr).toContain('mvn cannot be run. Install Maven');
      expect(status).toBe(1);
    });
  });
});
