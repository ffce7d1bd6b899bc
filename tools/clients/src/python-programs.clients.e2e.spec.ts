import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '@stratalog/testkit';
import type { PythonEnvironment } from './python-environments';
import { PythonPrograms } from './python-programs';

const [environment] = JSON.parse(process.env.STRATALOG_TEST_PYTHON_CLIENTS ?? '[]') as PythonEnvironment[];

const LIMIT_MS = limitMs(60_000);

describe('Python programs that share their imports', () => {
  let folder: string;
  const opened: PythonPrograms[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(realpathSync(tmpdir()), `stratalog-test-${String(process.pid)}-python-`));
  });

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((programs) => programs.stop()));
    rmSync(folder, { recursive: true, force: true });
  });

  const open = (limit = LIMIT_MS): PythonPrograms => {
    const python = join(environment?.folder ?? '', 'bin', 'python');
    const env = { ...process.env, BREAD: 'rye' };
    const programs = new PythonPrograms({ python, folder, env, limitMs: limit, signal: undefined });
    opened.push(programs);
    return programs;
  };

  const program = (...lines: readonly string[]): string => {
    const path = join(folder, 'program.py');
    writeFileSync(path, lines.join('\n'));
    return path;
  };

  it('have arguments, folder, environment, output and exit code of their own', async () => {
    const programs = open();
    const path = program(
      'import os, sys',
      'print(sys.argv[1:], os.getcwd(), os.environ["BREAD"], __name__)',
      'print("bad", file=sys.stderr)',
      'kept = sys.modules.setdefault("of_one_program_only", sys)',
      'sys.exit(len(sys.argv))',
    );
    const says = (args: string): string => `${args} ${folder} rye __main__\n`;
    expect(await programs.run(path, [])).toEqual({ status: 1, stdout: says('[]'), stderr: 'bad\n' });
    expect(await programs.run(path, ['a b', 'ö'])).toEqual({
      status: 3,
      stdout: says("['a b', 'ö']"),
      stderr: 'bad\n',
    });
    const other = program(
      'import sys',
      'print("of_one_program_only" in sys.modules, "datahub" in sys.modules)',
    );
    expect(await programs.run(other, [])).toEqual({ status: 0, stdout: 'False True\n', stderr: '' });
  });

  it('fail as they do without sharing', async () => {
    const programs = open();
    const failed = await programs.run(program('raise ValueError("no flour")'), []);
    expect(failed).toMatchObject({ status: 1, stderr: expect.stringMatching(/ValueError: no flour\n$/) });
    const killed = await programs.run(program('import os', 'os.kill(os.getpid(), 9)'), []);
    expect(killed).toEqual({ status: -9, stdout: '', stderr: '' });
  });

  it('are ended after their time limit, and when their owner has ended', async () => {
    const programs = open();
    const note = join(folder, 'pid.txt');
    const endless = program(
      'import os, time',
      'print("started", flush=True)',
      `open(${JSON.stringify(note)}, "w").write(f"{os.getpid()} {os.getppid()} ")`,
      'time.sleep(3600)',
    );
    const running = programs.run(endless, []);
    await until(() => pidsIn(note).length === 2);
    // The end of a process closes its pipes in the same way.
    await programs.stop();
    expect(await running).toMatchObject({ status: -9, stdout: 'started\n' });
    for (const pid of pidsIn(note)) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    expect(await open(1).run(endless, [])).toMatchObject({ status: -9 });
  });
});

function pidsIn(path: string): readonly number[] {
  try {
    return readFileSync(path, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
