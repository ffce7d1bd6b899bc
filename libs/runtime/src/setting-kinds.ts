import { z } from 'zod';

export interface SettingSpec {
  readonly name: string;
  readonly help: string;
  /** What may stand there, for the refusal and the help. */
  readonly allowed: string;
  readonly fallback?: string;
  readonly secret?: boolean;
  readonly schema: z.ZodType<string, string>;
}

export const text = z.string();
const integer = (minimum: number, maximum: number): z.ZodType<string, string> =>
  text.regex(/^\d{1,15}$/).refine((digits) => Number(digits) >= minimum && Number(digits) <= maximum);
export const webAddress = text.refine((url) => /^https?:$/.test(URL.parse(url)?.protocol ?? ''));
export const oneOf = (values: readonly string[]): z.ZodType<string, string> =>
  text.refine((value) => values.includes(value));
export const within = (minimum: number, maximum: number) => ({
  allowed: `an integer from ${minimum} to ${maximum}`,
  schema: integer(minimum, maximum),
});
export const among = (values: readonly string[]) => ({ allowed: values.join(', '), schema: oneOf(values) });
