import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Pressed {
  /** The arguments of each line as bash passed them on after Enter. */
  readonly lines: readonly (readonly string[])[];
  /** The arguments of each call of `complete`. */
  readonly asked: readonly (readonly string[])[];
}

/**
 * Types lines into an interactive bash that has read a completion script, a tab and Enter included. A function in the place of
 * the program notes how bash called it, and answers each call of `complete` with `offered`.
 */
export async function pressTab(
  script: string,
  typed: readonly string[],
  offered: readonly string[] = [],
): Promise<Pressed> {
  const folder = await mkdtemp(join(tmpdir(), `stratalog-test-${String(process.pid)}-tab-`));
  try {
    await writeFile(join(folder, 'script'), script);
    await writeFile(join(folder, 'offered'), offered.map((each) => `${each}\n`).join(''));
    await writeFile(join(folder, 'rc'), STAND_IN);
    await type(folder, typed.map((line) => `stratalog ${line}\n`).join('') + 'exit\n');
    return { lines: await noted(join(folder, 'lines')), asked: await noted(join(folder, 'asked')) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

const STAND_IN = `
bind 'set bell-style none'
source "$FOLDER/script"
stratalog() {
  local to="$FOLDER/lines"
  if [[ $1 == complete ]]; then
    to="$FOLDER/asked"
    shift
    cat "$FOLDER/offered"
  fi
  { printf '%s\\036' "$@"; printf '\\035'; } >> "$to"
}
`;

async function type(folder: string, keys: string): Promise<void> {
  const bash = spawn('bash', ['--rcfile', join(folder, 'rc'), '-i'], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: {
      PATH: process.env.PATH,
      FOLDER: folder,
      HOME: folder,
      TERM: 'dumb',
      INPUTRC: '/dev/null',
      LC_ALL: 'C.UTF-8',
    },
  });
  bash.stdin.end(keys);
  await new Promise<void>((resolve, reject) => {
    bash.once('exit', () => {
      resolve();
    });
    bash.once('error', reject);
  });
}

async function noted(file: string): Promise<readonly (readonly string[])[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text
    .split('\u001d')
    .slice(0, -1)
    .map((line) => line.split('\u001e').slice(0, -1));
}
