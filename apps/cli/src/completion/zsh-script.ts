import type { Place, Word } from './list-places';
import { argumentKinds, optionKinds, toPattern, walkPatterns } from './walk';

/** Generates the script for zsh, whose completion is loaded by `compinit`. */
export function zshScript(name: string, places: readonly Place[]): string {
  const { connection, connectionWithValue, valued } = walkPatterns(places);
  const cases = places.map((place) => {
    const [names, flags] = [place.commands, place.options].map(toDescribed);
    const depth = String(place.path.length);
    return `    ${toPattern(place)}) names=(${names ?? ''}) flags=(${flags ?? ''}) kinds='${argumentKinds(place)}' depth=${depth} ;;`;
  });
  return `#compdef ${name}
_${name}() {
  local place=' ' option='' kinds='' kind='' word prefix
  local -a names flags to given wanted found
  integer i depth=0
  for ((i = 2; i < CURRENT; i++)); do
    word=\${(Q)words[i]}
    case "$word" in
    (${connectionWithValue.join('|')}) to+=("$word") ;;
    (-*=*) ;;
    (${connection.join('|')})
      if ((++i < CURRENT)); then to+=("$word" "\${(Q)words[i]}"); else option=$word; fi ;;
    (${valued.join('|')})
      if ((++i >= CURRENT)); then option=$word; fi ;;
    (-*) ;;
    (*) place+="$word " ;;
    esac
  done
  case "$place" in
${cases.join('\n')}
  esac
  if [[ $PREFIX == -*=* ]]; then
    option=\${PREFIX%%=*}
    compset -P '*='
  fi
  case "$option" in
    ${optionKinds(places).join('\n    ')}
  '')
    given=(\${=place})
    wanted=(\${=kinds})
    if [[ $PREFIX != -* ]]; then kind=\${wanted[$#given - depth + 1]}; fi ;;
  *)
    _files
    return ;;
  esac
  case "$kind" in
  (urn|type)
    prefix=\${(Q)PREFIX}
    found=(\${(f)"$(${name} complete "$kind" "\${to[@]}" -- "$prefix" </dev/null 2>/dev/null)"})
    if ((! $#found)); then return 1; fi
    # Urns found by a name begin otherwise: they are offered as they are.
    if [[ $found[1] == "$prefix"* ]]; then
      compadd -S '' -- "\${(@M)found:#*:}"
      compadd -- "\${(@)found:#*:}"
    else
      compadd -U -- "\${found[@]}"
      compstate[insert]=menu
    fi ;;
  (=*)
    compadd -- "\${(@s:,:)kind#=}" ;;
  (*)
    # With -o zsh offers words only behind a dash.
    _describe -o 'option' flags
    if (($#names)); then _describe 'command' names; else _files; fi ;;
  esac
}
compdef _${name} ${name}
`;
}

/** Words with their descriptions, as `_describe` reads them. */
function toDescribed(words: readonly Word[]): string {
  return words.map(({ word, what }) => `'${`${word}:${what}`.replaceAll("'", "'\\''")}'`).join(' ');
}
