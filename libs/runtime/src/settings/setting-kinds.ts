import { resolve } from 'node:path';
import { z } from 'zod';

/** A setting: how its text in the environment is checked, and which value it means. */
export interface Setting<T = unknown> {
  readonly name: string;
  readonly help: string;
  /** The permitted values, for the rejection and the help. */
  readonly allowed: string;
  /** The permitted words, for a setting that has a closed list. */
  readonly words?: readonly string[];
  /** The text that counts when there is none. */
  readonly fallback?: string;
  /** That of the distributed profile, where it differs. */
  readonly distributedFallback?: string;
  /** A secret is never shown, and may come from a file. */
  readonly secret?: boolean;
  readonly schema: z.ZodType<T, string>;
}

/** Settings by the names that the program has for their values. */
export interface Settings {
  readonly [name: string]: Setting | Settings;
}

/** The names whose values are always there. */
type AlwaysThere<G> = {
  [K in keyof G]: G[K] extends Setting ? (G[K] extends { readonly fallback: string } ? K : never) : K;
}[keyof G];

type ValueOf<S> = S extends Setting<infer T> ? T : ValuesOf<S>;

/** The values of settings; one without a default may be absent. */
export type ValuesOf<G> = { readonly [K in AlwaysThere<G>]: ValueOf<G[K]> } & {
  readonly [K in Exclude<keyof G, AlwaysThere<G>>]?: ValueOf<G[K]>;
};

/** Tells a setting from a group of settings. */
export function isSetting(each: object): each is Setting {
  return 'schema' in each;
}

/** The variable that names the file of a secret. */
export function fileSetting({ name }: Setting): string {
  return `${name}_FILE`;
}

/** Lists the settings of a group, in order. */
export function listSettings(settings: object): readonly Setting[] {
  return Object.values(settings).flatMap((each: object) => (isSetting(each) ? [each] : listSettings(each)));
}

export const text = z.string();

/** A text that means what `parse` returns; one for which it returns `undefined` is not permitted. */
export function parsed<T>(parse: (text: string) => T | undefined): z.ZodType<T, string> {
  return text.transform((given, context) => {
    const value = parse(given);
    if (value !== undefined) return value;
    context.addIssue('not permitted');
    return z.NEVER;
  });
}

/** The path of a file, relative to the working folder. */
export const path = { allowed: 'a path', schema: text.transform((name) => resolve(name)) };

export const webAddress = text.refine((url) => /^https?:$/.test(URL.parse(url)?.protocol ?? ''));

/** An address that any caller may see: without a password. */
export const publicAddress = webAddress.refine((url) => {
  const address = URL.parse(url);
  return address?.username === '' && address.password === '';
});

/** A day of the calendar: `Date.parse` takes 30 February for 1 March. */
export const day = text.refine((name) => {
  const date = new Date(name);
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === name;
});

/** The texts between commas, of which each is permitted. */
export function list(isPermitted: (item: string) => boolean): z.ZodType<readonly string[], string> {
  return parsed((items) => (items.split(',').every(isPermitted) ? items.split(',') : undefined));
}

/** Words of a closed list between commas, in the order of that list. */
export function some<const Word extends string>(words: readonly Word[]) {
  const isWord = (item: string): boolean => words.some((word) => word === item);
  return {
    allowed: `some of ${words.join(', ')}`,
    schema: list(isWord).transform((items) => words.filter((word) => items.includes(word))),
  };
}

/** An integer, whose value counts in `unit`. */
export function within(minimum: number, maximum: number, unit = 1) {
  const parse = (digits: string): number | undefined => {
    const value = Number(digits);
    return /^\d{1,15}$/.test(digits) && value >= minimum && value <= maximum ? value * unit : undefined;
  };
  return { allowed: `an integer from ${minimum} to ${maximum}`, schema: parsed(parse) };
}

export function among<const Word extends string>(words: readonly Word[]) {
  return {
    allowed: words.join(', '),
    words,
    schema: parsed((given) => words.find((word) => word === given)),
  };
}

/** Two words, of which one means true. */
export function whether(yes: string, pair: readonly [string, string]) {
  const { schema, ...shown } = among(pair);
  return { ...shown, schema: schema.transform((word) => word === yes) };
}

/** Returns the given value of a setting; an empty variable means "unset", as in shells and compose files. */
export function givenSetting(
  environment: Readonly<Record<string, string | undefined>>,
  name: string,
): string | undefined {
  const value = environment[name];
  return value === '' ? undefined : value;
}
