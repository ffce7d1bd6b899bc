import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ROOT, plainEnvironment } from '@stratalog/harness';

const PROGRAM = join(ROOT, 'dist/apps/cli/main.js');

export interface CliRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly stdin?: string | Uint8Array;
  /** Variables of the command line; it inherits none of the catalog. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs `node dist/apps/cli/main.js` to its end. */
export async function cli(
  args: readonly string[],
  { stdin = '', env = {} }: CliOptions = {},
): Promise<CliRun> {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: { ...plainEnvironment(), STRATALOG_PORT: '0', ...env },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  // A command that needs no input may end before the input is written.
  child.stdin.on('error', () => undefined);
  child.stdin.end(stdin);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

/** Types keys into an interactive bash that completes the words of the command line, and returns what the commands print. */
export async function typeInBash(keys: string, env: Readonly<Record<string, string>>): Promise<string> {
  const rc = `stratalog() { '${process.execPath}' '${PROGRAM}' "$@"; }; source <(stratalog completion bash)\n`;
  const child = spawn('bash', ['--noprofile', '--norc', '-i'], {
    env: { ...plainEnvironment(), INPUTRC: '/dev/null', TERM: 'dumb', ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stdin.end(`${rc}${keys}exit\n`);
  await once(child, 'close');
  return stdout;
}
