import { parseChoices, type Kind, type Place } from './list-places';
import { walkPatterns } from './walk';

/**
 * Generates the script for fish 3 and later.
 *
 * Each line has a condition: the typed words without options are a command's, and so many arguments follow them. Files are
 * offered wherever no line that holds rules them out.
 */
export function fishScript(name: string, places: readonly Place[]): string {
  const { connection, connectionWithValue, valued } = walkPatterns(places);
  const asked = (kind: Kind): string =>
    `-f -a '${parseChoices(kind)?.join(' ') ?? `(__${name}_complete ${kind})`}'`;
  const lines = places.flatMap(({ path, commands, options, kinds }) => {
    const line = (count: string, rest: string): string =>
      `complete -c ${name} -n '${[`__${name}_at ${count}`, ...path].join(' ')}' ${rest}`;
    // Where a command must follow, another word leads to another place.
    const anywhere = commands.length === 0 ? '"*"' : '0';
    return [
      ...commands.map(({ word, what }) => line('0', `-f -a ${word} -d ${quoted(what)}`)),
      ...kinds.flatMap((kind, at) => (kind === undefined ? [] : [line(String(at), asked(kind))])),
      ...options
        .filter(({ word }) => word.startsWith('--'))
        .map(({ word, what, takesValue, kind }) => {
          const value = `${takesValue ? ' -r' : ''}${kind === undefined ? '' : ` ${asked(kind)}`}`;
          return line(anywhere, `-l ${word.slice(2)}${value} -d ${quoted(what)}`);
        }),
    ];
  });
  return `# Prints the words before the cursor that are no options (words), or the options that say which catalog to ask (to).
function __${name}_typed
    set -l typed (commandline -opc)
    set -l words
    set -l to
    set -e typed[1]
    while set -q typed[1]
        set -l word $typed[1]
        set -e typed[1]
        switch $word
            case ${connectionWithValue.map(quoted).join(' ')}
                set -a to $word
            case '-*=*'
            case ${connection.map(quoted).join(' ')}
                set -a to $word $typed[1]
                set -e typed[1]
            case ${valued.map(quoted).join(' ')}
                set -e typed[1]
            case '-*'
            case '*'
                set -a words $word
        end
    end
    string join \\n -- $$argv[1]
end

# Whether the typed words are those behind the first argument, which is a pattern for the number of words that follow them.
function __${name}_at
    set -l words (__${name}_typed words)
    set -l wanted $argv
    set -e wanted[1]
    for word in $wanted
        test "$words[1]" = $word; or return 1
        set -e words[1]
    end
    string match -q -- $argv[1] (count $words)
end

# Offers what the catalog or the model know.
function __${name}_complete
    set -l prefix (commandline -ct | string replace -r '^-[^=]*=' '' | string trim --left --chars '\\'"' | string replace --all '\\\\' '')
    ${name} complete $argv[1] (__${name}_typed to) -- "$prefix" </dev/null 2>/dev/null
end
${lines.join('\n')}
`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
