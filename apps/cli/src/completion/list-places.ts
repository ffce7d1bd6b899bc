import type { Argument, Command, Option } from 'commander';

/** The kind of value of an argument or an option, where the catalog or its model know the values. */
export const KINDS = ['urn', 'type'] as const;
/** Or one of a few words, which stand behind an equals sign, separated by commas: they need no call. */
export type Kind = (typeof KINDS)[number] | `=${string}`;

/** A word that may be typed, with its description. */
export interface Word {
  readonly word: string;
  readonly what: string;
}

export interface OptionWord extends Word {
  /** True: the next word is the value of the option. */
  readonly takesValue: boolean;
  readonly kind?: Kind;
}

/**
 * The words that may follow a path: `[]` for the program itself, `['model', 'show']` for a nested command.
 */
export interface Place {
  readonly path: readonly string[];
  readonly commands: readonly Word[];
  readonly options: readonly OptionWord[];
  /** The arguments in order; `undefined` for one that the catalog does not know. */
  readonly kinds: readonly (Kind | undefined)[];
}

/** Names of arguments, and of the values of options, by what they are. */
const KIND_BY_NAME: Readonly<Record<string, Kind>> = { urn: 'urn', entity: 'type', type: 'type' };

/** Returns the words of a kind, if it is one of a few words. */
export function parseChoices(kind: Kind): readonly string[] | undefined {
  return kind.startsWith('=') ? kind.slice(1).split(',') : undefined;
}

function toKind(name: string, choices: readonly string[] | undefined): Kind | undefined {
  return choices === undefined ? KIND_BY_NAME[name] : `=${choices.join(',')}`;
}

/**
 * Lists the places of a command line.
 *
 * **Order and repeats**: the deepest first, so that the first match is the most specific.
 */
export function listPlaces(command: Command, path: readonly string[] = []): readonly Place[] {
  const commands = command
    .createHelp()
    .visibleCommands(command)
    .filter((each) => each.name() !== 'help');
  const own = command.options.filter(({ hidden }) => !hidden).map(toOptionWord);
  return [
    ...commands.flatMap((each) => listPlaces(each, [...path, each.name()])),
    {
      path,
      commands: commands.map((each) => ({ word: each.name(), what: each.description() })),
      options: [...own, { word: '--help', what: 'explain', takesValue: false }],
      kinds: command.registeredArguments.map((each: Argument) => toKind(each.name(), each.argChoices)),
    },
  ];
}

/** Lists the distinct options of all places that take values. */
export function listValued(places: readonly Place[]): readonly OptionWord[] {
  const valued = places.flatMap(({ options }) => options.filter(({ takesValue }) => takesValue));
  return [...new Map(valued.map((option) => [option.word, option])).values()];
}

function toOptionWord({ long, short, description, flags, required, argChoices }: Option): OptionWord {
  const [, value = ''] = /<(\w+)>/.exec(flags) ?? [];
  const kind = toKind(value, argChoices);
  return {
    word: long ?? short ?? '',
    what: description,
    takesValue: required,
    ...(kind === undefined ? {} : { kind }),
  };
}
