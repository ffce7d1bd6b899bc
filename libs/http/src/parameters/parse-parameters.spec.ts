import { describe, expect, it } from '@jest/globals';
import { InvalidRequestError } from '@stratalog/domain';
import type { JsonObject } from '@stratalog/json';
import * as z from 'zod';
import {
  content,
  elements,
  flag,
  integer,
  listOf,
  long,
  members,
  oneOf,
  text,
  withValue,
  withoutValue,
} from './parameter-types';
import { parseParameters } from './parse-parameters';
import { describeSchema } from './value-schema';

function parse<Parameters>(
  schema: z.ZodType<Parameters>,
  sent: JsonObject,
  action: string | undefined = 'search',
) {
  const { required = [] } = describeSchema(schema);
  return parseParameters(schema, required, { sent, action, names: () => Object.keys(sent) });
}

const MEMBERS = z.object({ name: z.string() });
const FLAGS = members({ yes: flag(withoutValue).default(false) });

describe('parameters of an action', () => {
  it('are read in every spelling that clients send', () => {
    const schema = z.object({
      text: text(1),
      number: integer(),
      digits: integer(),
      end: long(),
      yes: flag(),
      no: flag(),
      list: z.array(z.string()),
      object: content(MEMBERS),
      absent: listOf(MEMBERS).optional(),
      fallback: integer({ minimum: 1 }).default(20),
    });
    const sent = {
      text: 'a',
      number: 3,
      digits: '1700000000000',
      end: 9_223_372_036_854_775_807n,
      yes: true,
      no: 'False',
      list: ['a', 'b'],
      object: { a: 1 },
    };
    expect(parse(schema, { ...sent, unknown: 1 })).toEqual({
      ...sent,
      digits: 1_700_000_000_000,
      end: Number.MAX_SAFE_INTEGER,
      no: false,
      fallback: 20,
    });
  });

  it('parameters of an action that are missing are all named, with the given one that is probably meant', () => {
    const schema = z.object({
      input: z.string(),
      start: integer(),
      count: integer(),
      sort: z.string().optional(),
    });
    expect(() => parse(schema, { start: 1, cuont: 1 })).toThrow(
      new InvalidRequestError("Parameter 'input' is required, and so is 'count'"),
    );
    expect(() => parse(schema, { input: 'x', start: 1, cuont: 1 })).toThrow(
      new InvalidRequestError("Parameter 'count' is required; did you mean it by 'cuont'?"),
    );
  });

  const BEGINNING = "Parameters of method 'search' failed validation with error '";
  const word = oneOf(['ONE', 'TWO'], (sent) => ({ wanted: `a number but ${sent}` }));
  it.each([
    ['/x :: 1 is not a string', 1, z.string()],
    ['/x :: "1.5" is not an integer', '1.5', integer()],
    ['/x :: -1 is not an integer from 0 to 9', -1, integer({ minimum: 0, maximum: 9 })],
    ['/x :: 12345678901234567890 is not an integer', 12_345_678_901_234_567_890n, integer()],
    ['/x :: "yes" is not true or false', 'yes', flag()],
    ['/x :: a list is not an object', [], content(MEMBERS)],
    ['/x :: an object is not a list', {}, listOf(MEMBERS)],
    ['/x :: has 2 elements; at most 1 are taken at once', [1, 2], listOf(MEMBERS, { maximum: 1 })],
    ['/x :: is longer than 3 bytes of UTF-8', 'äö', text(3)],
    ['/x :: "THREE" is not a number but THREE', 'THREE', word],
    ['/x/1 :: null is not a string', ['a', null], z.array(z.string())],
    ['/x :: 7 is not an object', 7, members({}, { wording: withValue })],
    ['/x/1 :: is not an object', [{}, 7], elements(members({}))],
    ['/x/1/yes :: is not true or false', [{}, { yes: 7 }], elements(FLAGS)],
    ['/x/0/of :: is not a list', [{ of: {} }], elements(members({ of: elements(FLAGS) }))],
    ['/x :: has more than 2 flags', [7, 7, 7], elements(FLAGS, { most: { count: 2, of: 'flags' } })],
  ])('are rejected: %s', (reason, x, type) => {
    expect(() => parse(z.object({ x: type }), { x })).toThrow(
      new InvalidRequestError(`${BEGINNING}${reason}'`),
    );
  });

  it('are rejected for the first fault of a list, however many there are', () => {
    const x = Array<JsonObject>(2).fill({ of: Array<number>(300_000).fill(7) });
    expect(() => parse(z.object({ x: elements(members({ of: elements(FLAGS) })) }), { x })).toThrow(
      new InvalidRequestError(`${BEGINNING}/x/0/of/0 :: is not an object'`),
    );
  });

  it('may hold objects whose members are null', () => {
    const x = [{ yes: null }, { yes: 'TRUE' }];
    expect(parse(z.object({ x: elements(FLAGS) }), { x })).toEqual({ x: [{ yes: false }, { yes: true }] });
  });

  it('are not mistaken for inherited members of an object', () => {
    expect(parse(z.object({ x: z.string().optional() }), {})).toEqual({});
  });
});

describe('parameters of a query', () => {
  it.each([
    [
      "Argument parameter 'x' value '-1' is invalid: it must be an integer from 0 on",
      integer({ minimum: 0 }),
    ],
    ['-1 is no direction', oneOf(['IN'], (sent) => ({ message: `${sent} is no direction` }))],
  ])('are rejected: %s', (message, type) => {
    expect(() =>
      parseParameters(z.object({ x: type }), [], {
        sent: { x: '-1' },
        action: undefined,
        names: () => ['x'],
      }),
    ).toThrow(new InvalidRequestError(message));
  });
});

describe('the description of parameters', () => {
  it('has types, bounds, defaults and descriptions', () => {
    const described = describeSchema(
      z.object({
        limit: integer({ minimum: 1 }).default(9).describe('Most values.'),
        end: long().optional(),
        word: oneOf(['a', 'b'], () => ({ wanted: 'a or b' })),
        labels: z.record(z.string(), z.string()).optional(),
        list: listOf(MEMBERS, { maximum: 7 }).describe('Some.'),
      }),
    );
    expect(described).toEqual({
      type: 'object',
      properties: {
        limit: { type: 'integer', minimum: 1, default: 9, description: 'Most values.' },
        end: { type: 'integer', format: 'int64' },
        word: { type: 'string', enum: ['a', 'b'] },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
        list: {
          type: 'array',
          items: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
          maxItems: 7,
          description: 'Some.',
        },
      },
      required: ['word', 'list'],
    });
  });
});
