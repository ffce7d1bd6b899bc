import { z } from 'zod';

/** The texts of the settings by their names, with the defaults. */
export type GivenSettings = ReadonlyMap<string, string | undefined>;

export interface SettingSpec {
  readonly name: string;
  readonly help: string;
  /** The permitted values, for the rejection and the help. */
  readonly allowed: string;
  /** The permitted words, for a setting that has a closed list. */
  readonly words?: readonly string[];
  readonly fallback?: string;
  /** The default of the distributed profile, where it differs. */
  readonly distributedFallback?: string;
  readonly secret?: boolean;
  readonly schema: z.ZodType<string, string>;
}

export const text = z.string();
const integer = (minimum: number, maximum: number): z.ZodType<string, string> =>
  text.regex(/^\d{1,15}$/).refine((digits) => Number(digits) >= minimum && Number(digits) <= maximum);
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
const oneOf = (values: readonly string[]): z.ZodType<string, string> =>
  text.refine((value) => values.includes(value));
export const within = (minimum: number, maximum: number) => ({
  allowed: `an integer from ${minimum} to ${maximum}`,
  schema: integer(minimum, maximum),
});
export const among = (words: readonly string[]) => ({
  allowed: words.join(', '),
  words,
  schema: oneOf(words),
});

/** Returns the given value of a setting; an empty variable means "unset", as in shells and compose files. */
export function givenSetting(
  environment: Readonly<Record<string, string | undefined>>,
  name: string,
): string | undefined {
  const value = environment[name];
  return value === '' ? undefined : value;
}
