import { listValued, type Kind, type Place } from './list-places';

/** The options that say which catalog to ask; a script hands them on. */
const CONNECTION = ['--server', '--profile', '--token', '--token-file'] as const;

/** The patterns of a shell's `case` by which the scripts walk through the typed words. */
export interface WalkPatterns {
  /** Options of the connection with a value behind a blank, and those with the value behind a `=`. */
  readonly connection: readonly string[];
  readonly connectionWithValue: readonly string[];
  /** All other options with a value behind a blank. */
  readonly valued: readonly string[];
}

export function walkPatterns(places: readonly Place[]): WalkPatterns {
  const valued = listValued(places).map(({ word }) => word);
  return {
    connection: CONNECTION,
    connectionWithValue: CONNECTION.map((option) => `${option}=*`),
    valued: valued.filter((word) => !CONNECTION.some((option) => option === word)),
  };
}

/** The lines of a `case` that tell the kind of an option's value. */
export function optionKinds(places: readonly Place[]): readonly string[] {
  const byKind = new Map<Kind, string[]>();
  for (const { word, kind } of listValued(places)) {
    if (kind !== undefined) byKind.set(kind, [...(byKind.get(kind) ?? []), word]);
  }
  return [...byKind].map(([kind, words]) => `${words.join('|')}) kind='${kind}' ;;`);
}

/** The kinds of a place's arguments as words; a dash stands for one that only the user knows. */
export function argumentKinds({ kinds }: Place): string {
  return kinds.map((kind) => kind ?? '-').join(' ');
}

/**
 * Makes the pattern of the typed commands. Commands are the first words that are neither options nor values of options;
 * other words follow the command.
 */
export function toPattern({ path }: Place): string {
  return path.length === 0 ? '*' : `' ${path.join(' ')} '*`;
}
