import { A_TIME, isJsonObject, toTime, type JsonObject, type JsonValue } from '@stratalog/json';
import * as z from 'zod';
import { describeSchema, type ValueSchema } from './value-schema';
import { describeInteger, toInteger, toLong, type IntegerBounds } from './to-integer';
import { withoutNulls } from './without-nulls';

/** Types of parameters with the leniency of the wire; plain `z.string()` and `z.array()` go along with them. */

/** The fault of a value, in one of three forms; the place of the parameter decides about the rest of the message. */
export type ParameterFault =
  /** The value is not this: `an integer from 0 to 9`. */
  | { readonly wanted: string }
  /** Follows the path of the value: `has more than 8 fields`. */
  | { readonly reason: string }
  /** The whole message. */
  | { readonly message: string };

/** Words the fault of a value that is not what is wanted. */
type Wording = (wanted: string) => ParameterFault;

/** For parameters: shows the wrong value. */
export const withValue: Wording = (wanted) => ({ wanted });
/** For members of objects and elements of lists: the path alone names the value. */
export const withoutValue: Wording = (wanted) => ({ reason: `is not ${wanted}` });

/** A whole number, or its digits as text. */
export function integer(bounds: IntegerBounds = {}, wording = withValue) {
  return converted(
    { type: 'integer', ...bounds },
    { convert: (sent) => toInteger(sent, bounds), fault: wording(describeInteger(bounds)) },
  );
}

/** A 64-bit number, or its digits as text. Values beyond the safe range of a double are clamped to that range. */
export function long(bounds: Pick<IntegerBounds, 'minimum'> = {}) {
  return converted(
    { type: 'integer', format: 'int64', ...bounds },
    { convert: (sent) => toLong(sent, bounds), fault: { wanted: describeInteger(bounds) } },
  );
}

/** A day or an instant of ISO 8601, or epoch milliseconds; parsed to epoch milliseconds. */
export function time() {
  return converted<number, number | string>(
    { type: 'string', format: 'date-time' },
    { convert: toTime, fault: { wanted: A_TIME } },
  );
}

/** A boolean, or `"true"` and `"false"` in any case: clients send `async` that way. */
export function flag(wording = withValue) {
  return converted({ type: 'boolean' }, { convert: toBoolean, fault: wording('true or false') });
}

/** A text of at most `maxBytes` in UTF-8. */
export function text(maxBytes: number) {
  const isShort = (sent: string): boolean => sent.length <= maxBytes && Buffer.byteLength(sent) <= maxBytes;
  const reason = `is longer than ${String(maxBytes)} bytes of UTF-8`;
  return z.string().refine(isShort, { params: { reason } satisfies ParameterFault });
}

/** One of several words. */
export function oneOf<Word extends string>(
  words: readonly Word[],
  describe: (sent: string) => ParameterFault,
) {
  const word = z
    .string()
    .transform((sent, context): Word => words.find((each) => each === sent) ?? fail(context, describe(sent)))
    .meta({ enum: [...words] });
  // Callers of ours send one of the words; any other text gets the rejection of `describe`.
  return word as unknown as z.ZodType<Word, Word>;
}

/**
 * An object whose members another checker reads, such as a proposal: parsing checks only that it is an object, and
 * hands it over as it came. `shape` documents the members.
 */
export function content<Shape extends z.ZodType>(shape: Shape) {
  const object = z
    .custom<JsonObject>((sent) => isJsonObject(sent), { params: { wanted: 'an object' } })
    .meta({ ...describeSchema(shape) });
  return object as unknown as z.ZodType<JsonObject, z.input<Shape>>;
}

/** A list whose elements another checker reads. `shape` documents an element. */
export function listOf<Shape extends z.ZodType>(
  shape: Shape,
  { maximum = Infinity }: { readonly maximum?: number } = {},
) {
  const list = z
    .custom<readonly JsonValue[]>(Array.isArray, { params: { wanted: 'a list' }, abort: true })
    .superRefine((elements, context) => {
      if (elements.length <= maximum) return;
      fail(context, { reason: tooMany(elements, maximum) });
    })
    .meta({
      type: 'array',
      items: describeSchema(shape),
      ...(maximum === Infinity ? {} : { maxItems: maximum }),
    });
  return list as unknown as z.ZodType<readonly JsonValue[], readonly z.input<Shape>[]>;
}

/** A list of parsed elements. */
export function listUpTo<Element extends z.ZodType>(maximum: number, element: Element) {
  return z.array(element).max(maximum, {
    error: ({ input }) => tooMany(input as readonly unknown[], maximum),
  });
}

function tooMany({ length }: readonly unknown[], maximum: number): string {
  return `has ${String(length)} elements; at most ${String(maximum)} are taken at once`;
}

interface Conversion<Value> {
  /** Returns `undefined` for a value that is wrong. */
  readonly convert: (sent: unknown) => Value | undefined;
  readonly fault: ParameterFault | ((sent: unknown) => ParameterFault);
}

/**
 * A value in any notation. `schema` documents it; `Sent` is the notations that a client of ours may choose, and others are
 * accepted too.
 */
export function converted<Value, Sent = Value>(schema: ValueSchema, { convert, fault }: Conversion<Value>) {
  return z
    .unknown()
    .transform(
      (sent, context): Value =>
        convert(sent) ?? fail(context, typeof fault === 'function' ? fault(sent) : fault),
    )
    .meta({ ...schema }) as z.ZodType<Value, Sent>;
}

/**
 * An object in a body, whose members that are `null` count as absent. `prepare` sees the members first, and may drop some
 * or report faults.
 */
export function members<Shape extends z.ZodRawShape>(
  shape: Shape,
  {
    wording = withoutValue,
    prepare = (sent) => sent,
  }: {
    readonly wording?: Wording;
    readonly prepare?: (sent: JsonObject, context: z.RefinementCtx) => JsonObject;
  } = {},
) {
  const read = z.preprocess(
    (sent, context) =>
      isJsonObject(sent) ? prepare(withoutNulls(sent), context) : fail(context, wording('an object')),
    z.object(shape),
  );
  return read as unknown as z.ZodType<z.output<z.ZodObject<Shape>>, z.input<z.ZodObject<Shape>>>;
}

/**
 * A list in a body, of parsed elements. The first wrong one ends it: a hostile body has hundreds of thousands, and a list of
 * zod collects the faults of all. One with more than `most.count` elements is rejected before them.
 */
export function elements<Element extends z.ZodType>(
  element: Element,
  {
    wording = withoutValue,
    most = { count: Infinity, of: 'elements' },
  }: { readonly wording?: Wording; readonly most?: { readonly count: number; readonly of: string } } = {},
) {
  const list = z
    .unknown()
    .transform((sent, context): readonly z.output<Element>[] => {
      if (!Array.isArray(sent)) return fail(context, wording('a list'));
      if (sent.length > most.count)
        return fail(context, { reason: `has more than ${String(most.count)} ${most.of}` });
      const parsed: z.output<Element>[] = [];
      for (const [at, each] of sent.entries()) {
        const { success, data, error } = element.safeParse(each);
        if (!success) {
          for (const issue of error.issues) context.addIssue({ ...issue, path: [at, ...issue.path] });
          return z.NEVER;
        }
        parsed.push(data);
      }
      return parsed;
    })
    .meta({ type: 'array', items: describeSchema(element) });
  return list as unknown as z.ZodType<readonly z.output<Element>[], readonly z.input<Element>[]>;
}

/** Reports a fault of the value that is being parsed; the result is discarded. */
export function fail(context: z.RefinementCtx, params: ParameterFault, path: string[] = []): never {
  context.addIssue({ code: 'custom', params, path });
  return z.NEVER;
}

function toBoolean(sent: unknown): boolean | undefined {
  if (typeof sent === 'boolean') return sent;
  const word = typeof sent === 'string' ? sent.toLowerCase() : '';
  return word === 'true' ? true : word === 'false' ? false : undefined;
}
