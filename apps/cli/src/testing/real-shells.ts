import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const OTHER_SHELLS = ['zsh', 'fish'] as const;
export type OtherShell = (typeof OTHER_SHELLS)[number];

/** Records the reaction of a shell to a tab after each typed line. */
type Complete = (folder: string, typed: readonly string[]) => Promise<readonly string[]>;

export function hasShell(shell: OtherShell): boolean {
  return spawnSync(shell, ['-c', 'exit 0']).status === 0;
}

/**
 * Presses tab behind each typed line, in a shell that has read a completion script. A program in the place of ours answers
 * each call of `complete` with those words in `offered` that begin with its last argument.
 *
 * Returns for each line: of zsh what stands behind the prompt then, of fish the offered words, separated by blanks.
 */
export async function completeIn(
  shell: OtherShell,
  { script, typed, offered }: Record<'typed' | 'offered', readonly string[]> & { readonly script: string },
): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), `stratalog-test-${String(process.pid)}-${shell}-`));
  try {
    await writeFile(join(folder, 'script'), script);
    await writeFile(join(folder, 'offered'), offered.map((each) => `${each}\n`).join(''));
    await writeFile(join(folder, 'stratalog'), STAND_IN, { mode: 0o700 });
    return await COMPLETE[shell](folder, typed);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const STAND_IN = `#!/bin/sh
for prefix in "$@"; do :; done
while IFS= read -r each; do
  case "$each" in "$prefix"*) printf '%s\\n' "$each" ;; esac
done < "$FOLDER/offered"
`;

/** A widget writes the line into a file, because the screen has it in pieces. */
const ZSH_START = `
autoload -Uz compinit
compinit -u -D
source "$FOLDER/script"
note() { print -r -- "$BUFFER" >> "$FOLDER/lines"; BUFFER='' }
zle -N note
bindkey '^Xn' note
zle-line-init() { print -n READY > /dev/tty }
zle -N zle-line-init
`;

/** Gives an interactive zsh a terminal. A tab that comes before it edits lines is lost. What it shows is read, so that it never waits. */
const ZSH_TERMINAL = `
zmodload zsh/zpty
zpty shell zsh -d -i
zpty -r shell shown '*READY*'
zpty -w -n shell "$(<"$FOLDER/keys")"$'\\nexit\\n'
while zpty -r shell shown; do :; done
`;

const COMPLETE: Readonly<Record<OtherShell, Complete>> = {
  zsh: async (folder, typed) => {
    await writeFile(join(folder, '.zshrc'), ZSH_START);
    // The first tab loads the completion of zsh, and completes nothing while more keys wait.
    const lines = ['', ...typed].map((line) => `stratalog ${line}\t\u0018n`);
    await writeFile(join(folder, 'keys'), lines.join(''));
    await run('zsh', ['-d', '-f', '-c', ZSH_TERMINAL], folder);
    return (await readFile(join(folder, 'lines'), 'utf8'))
      .split('\n')
      .slice(1, -1)
      .map((line) => line.replace(/^stratalog /, ''));
  },
  fish: async (folder, typed) => {
    const asked = typed.map((line) => `stratalog ${line}`.replaceAll('\\', '\\\\').replaceAll("'", "\\'"));
    const lines = asked.map((line) => `echo (complete -C '${line}' | string replace -r '\\t.*' '')`);
    const text = await run(
      'fish',
      ['--no-config', '-c', `source $FOLDER/script\n${lines.join('\n')}`],
      folder,
    );
    return text.split('\n').slice(0, -1);
  },
};

async function run(shell: OtherShell, args: readonly string[], folder: string): Promise<string> {
  const child = spawn(shell, args, {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      PATH: `${folder}:${process.env.PATH ?? ''}`,
      FOLDER: folder,
      HOME: folder,
      ZDOTDIR: folder,
      TERM: 'dumb',
      LC_ALL: 'C.UTF-8',
    },
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  await new Promise<void>((resolve, reject) => {
    child.once('close', () => {
      resolve();
    });
    child.once('error', reject);
  });
  return text;
}
