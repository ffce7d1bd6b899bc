import { join } from 'node:path';
import { Program, ROOT, plainEnvironment, type ProgramEnd, type ProgramOptions } from '@stratalog/harness';

const PROGRAM = 'dist/apps/cli/main.js';
const LIMIT_MS = 120_000;

export type CliRun = Omit<ProgramEnd, 'signal'>;

export interface CliOptions {
  readonly stdin?: string | Uint8Array;
  /** Variables of the command line; it inherits none of the catalog. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs `node dist/apps/cli/main.js` to its end. **Errors**: rejects after two minutes. */
export function cli(args: readonly string[], { stdin = '', env = {} }: CliOptions = {}): Promise<CliRun> {
  return run(PROGRAM, { args, input: stdin, environment: { STRATALOG_PORT: '0', ...env } });
}

/** Types keys into an interactive bash that completes the words of the command line, and returns what the commands print. */
export async function typeInBash(keys: string, env: Readonly<Record<string, string>>): Promise<string> {
  const start = `stratalog() { '${process.execPath}' '${join(ROOT, PROGRAM)}' "$@"; }; source <(stratalog completion bash)\n`;
  const { stdout } = await run('bash', {
    isCommand: true,
    args: ['--noprofile', '--norc', '-i'],
    input: `${start}${keys}exit\n`,
    environment: { INPUTRC: '/dev/null', TERM: 'dumb', ...env },
  });
  return stdout;
}

async function run(path: string, options: ProgramOptions): Promise<CliRun> {
  const environment = { ...plainEnvironment(), ...options.environment };
  const { code, stdout, stderr } = await new Program(path, { ...options, environment }).finished(
    limitMs(LIMIT_MS),
  );
  return { code, stdout, stderr };
}
