import type { Place } from './list-places';
import { argumentKinds, optionKinds, toPattern, walkPatterns } from './walk';

/**
 * Generates the script for bash 3.2 and later.
 *
 * Bash splits the line at colons and parentheses too, and replaces only what follows the last colon. So the script joins the
 * pieces again, and offers each urn without the part before that colon. A piece in quotes is replaced whole.
 */
export function bashScript(name: string, places: readonly Place[]): string {
  const { connection, connectionWithValue, valued } = walkPatterns(places);
  const cases = places.map((place) => {
    const words = [...place.commands, ...place.options].map(({ word }) => word).join(' ');
    const depth = String(place.path.length);
    return `    ${toPattern(place)}) words='${words}' kinds='${argumentKinds(place)}' depth=${depth} ;;`;
  });
  return `_${name}() {
  local line="\${COMP_LINE:0:COMP_POINT}" piece blanks i n=-1
  local -a typed=() to=() given=() wanted=()
  for ((i = 0; i <= COMP_CWORD; i++)); do
    blanks="\${line%%[![:space:]]*}"
    line="\${line:\${#blanks}}"
    piece="\${COMP_WORDS[i]}"
    if ((i == COMP_CWORD)); then piece="$line"; fi
    if [[ -n $blanks || $i == 0 ]]; then typed[++n]="$piece"; else typed[n]+="$piece"; fi
    line="\${line:\${#piece}}"
  done

  local place=' ' option=''
  for ((i = 1; i < n; i++)); do
    piece="\${typed[i]//[\\'\\"\\\\]/}"
    case "$piece" in
    ${connectionWithValue.join('|')}) to+=("$piece") ;;
    -*=*) ;;
    ${connection.join('|')})
      if ((++i < n)); then to+=("$piece" "\${typed[i]//[\\'\\"\\\\]/}"); else option="$piece"; fi ;;
    ${valued.join('|')})
      if ((++i >= n)); then option="$piece"; fi ;;
    -*) ;;
    *) place+="$piece " ;;
    esac
  done

  local current="\${typed[n]}" words='' kinds='' kind='' depth=0
  case "$current" in
  -*=*) option="\${current%%=*}" current="\${current#*=}" ;;
  esac
  case "$place" in
${cases.join('\n')}
  esac
  case "$option" in
    ${optionKinds(places).join('\n    ')}
  '')
    read -ra given <<<"$place"
    read -ra wanted <<<"$kinds"
    if [[ $current != -* ]]; then kind="\${wanted[\${#given[@]} - depth]}"; fi ;;
  *) return ;;
  esac
  case "$kind" in
  urn | type) _${name}_offer "$kind" "$current" "\${to[@]}" ;;
  =*) COMPREPLY=($(compgen -W "\${kind//[=,]/ }" -- "$current")) ;;
  *) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
  esac
}

# Offers what the catalog or the model know, and no file names.
_${name}_offer() {
  local kind="$1" current="$2" prefix="$2" kept='' breaks="\${COMP_WORDBREAKS//[^:=]/}" isQuoted='' isName='' found
  shift 2
  case "$current" in
  \\'* | \\"*) isQuoted=1 prefix="\${current:1}" ;;
  *)
    prefix="\${current//\\\\/}"
    if [[ -n $breaks && $current == *[$breaks]* ]]; then
      kept="\${current%"\${current##*[$breaks]}"}"
      kept="\${kept//\\\\/}"
    fi ;;
  esac
  compopt +o default 2>/dev/null
  while IFS= read -r found; do
    [[ $found == "$prefix"* ]] || isName=1
    [[ $found == *: ]] && compopt -o nospace 2>/dev/null
    if [[ -n $isQuoted ]]; then
      # Bash expands the history between double quotes too.
      [[ $found == *[\\'\\"\\\\\\\`\\$]* || ($current == \\"* && $found == *!*) ]] || COMPREPLY+=("$found")
    elif [[ -n $found && $found == "$kept"* ]]; then
      printf -v found %q "\${found:\${#kept}}"
      COMPREPLY+=("$found")
    fi
  done <<<"$(${name} complete "$kind" "$@" -- "$prefix" </dev/null 2>/dev/null)"
  # Urns found by a name begin otherwise: without the name among them, bash would replace it by their common beginning.
  if [[ -n $isName && \${#COMPREPLY[@]} -gt 1 ]]; then COMPREPLY+=("\${prefix:\${#kept}}"); fi
}
complete -o default -F _${name} ${name}
`;
}
