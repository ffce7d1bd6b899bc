import type { Command } from 'commander';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** A word that may be typed, with its description. */
interface Word {
  readonly word: string;
  readonly what: string;
}

/**
 * The words that may follow a path: `[]` for the program itself, `['model', 'show']` for a nested command.
 */
interface Place {
  readonly path: readonly string[];
  readonly commands: readonly Word[];
  readonly options: readonly Word[];
}

/**
 * Generates a shell script that completes the commands of a program, their options, and file names after
 * them.
 */
export function completionScript(shell: Shell, program: Command): string {
  const places = listPlaces(program);
  switch (shell) {
    case 'bash':
      return bash(program.name(), places);
    case 'zsh':
      return zsh(program.name(), places);
    case 'fish':
      return fish(program.name(), places);
  }
}

/** The deepest first, so that the first match is the most specific. */
function listPlaces(command: Command, path: readonly string[] = []): readonly Place[] {
  const { commands, options } = command;
  const inner = commands.flatMap((each) => listPlaces(each, [...path, each.name()]));
  const own = options
    .filter(({ hidden }) => !hidden)
    .map(({ long, short, description }) => ({ word: long ?? short ?? '', what: description }));
  return [
    ...inner,
    {
      path,
      commands: commands.map((each) => ({ word: each.name(), what: each.description() })),
      options: [...own, { word: '--help', what: 'explain' }],
    },
  ];
}

function bash(name: string, places: readonly Place[]): string {
  const cases = places.map(({ path, commands, options }) => {
    const words = [...commands, ...options].map(({ word }) => word).join(' ');
    return `    ${toPattern(path)}) words='${words}' ;;`;
  });
  return `_${name}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" typed=' ' words='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] || typed+="$word "
  done
  case "$typed" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _${name} ${name}
`;
}

function zsh(name: string, places: readonly Place[]): string {
  const cases = places.map(({ path, commands, options }) => {
    const offered = [...commands, ...options].map(
      ({ word, what }) => `'${`${word}:${what}`.replaceAll("'", "'\\''")}'`,
    );
    return `    ${toPattern(path)}) offered=(${offered.join(' ')}) ;;`;
  });
  return `#compdef ${name}
_${name}() {
  local typed=' ' word
  local -a offered
  for word in \${words[2,CURRENT-1]}; do
    [[ $word == -* ]] || typed+="$word "
  done
  case "$typed" in
${cases.join('\n')}
  esac
  _describe -o '${name}' offered
  _files
}
compdef _${name} ${name}
`;
}

function fish(name: string, places: readonly Place[]): string {
  return places
    .flatMap(({ path, commands, options }) => {
      const below = commands.map(({ word }) => word).join(' ');
      const conditions = path.map((word) => `__fish_seen_subcommand_from ${word}`);
      if (below !== '') conditions.push(`not __fish_seen_subcommand_from ${below}`);
      const line = (rest: string): string => `complete -c ${name} -n '${conditions.join('; and ')}' ${rest}`;
      const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
      return [
        ...commands.map(({ word, what }) => line(`-f -a ${word} -d ${quoted(what)}`)),
        ...options
          .filter(({ word }) => word.startsWith('--'))
          .map(({ word, what }) => line(`-l ${word.slice(2)} -d ${quoted(what)}`)),
      ];
    })
    .map((line) => `${line}\n`)
    .join('');
}

/**
 * Commands are the first words that are neither options nor values of options; other words follow the
 * command.
 */
function toPattern(path: readonly string[]): string {
  return path.length === 0 ? '*' : `' ${path.join(' ')} '*`;
}
