import { describe, expect, it } from '@jest/globals';
import { InvalidRequestError, type JsonObject } from '@stratalog/model';
import { ActionParameters } from './action-parameters';

const parameters = (body: JsonObject) => new ActionParameters('search', body);

describe('ActionParameters', () => {
  it('read every spelling that clients send', () => {
    const read = parameters({
      text: 'a',
      number: 3,
      digits: '1700000000000',
      yes: true,
      no: 'False',
      list: ['a', 'b'],
      object: { a: 1 },
      nothing: null,
    });
    expect(read.requiredString('text')).toBe('a');
    expect(read.requiredInteger('number')).toBe(3);
    expect(read.optionalInteger('digits')).toBe(1_700_000_000_000);
    expect(read.optionalBoolean('yes')).toBe(true);
    expect(read.optionalBoolean('no')).toBe(false);
    expect(read.optionalStringList('list')).toEqual(['a', 'b']);
    expect(read.requiredObject('object')).toEqual({ a: 1 });
    expect([read.optionalString('nothing'), read.optionalList('absent')]).toEqual([undefined, undefined]);
  });

  it.each([
    ['a string', (read: ActionParameters) => read.requiredString('x')],
    ['an integer', (read: ActionParameters) => read.requiredInteger('x')],
    ['an object', (read: ActionParameters) => read.requiredObject('x')],
    ['a list', (read: ActionParameters) => read.requiredList('x')],
  ])('say that %s is required', (_type, read) => {
    expect(() => read(parameters({ x: null }))).toThrow(new InvalidRequestError("Parameter 'x' is required"));
    expect(() => read(parameters({}))).toThrow("Parameter 'x' is required");
  });

  const BEGINNING = "Parameters of method 'search' failed validation with error '";
  it.each([
    ['/x :: 1 is not a string', 1, (read: ActionParameters) => read.optionalString('x')],
    ['/x :: "1.5" is not an integer', '1.5', (read: ActionParameters) => read.optionalInteger('x')],
    [
      '/x :: -1 is not an integer from 0 to 9',
      -1,
      (read: ActionParameters) => read.optionalInteger('x', { minimum: 0, maximum: 9 }),
    ],
    [
      '/x :: 12345678901234567890 is not an integer',
      12_345_678_901_234_567_890n,
      (read: ActionParameters) => read.optionalInteger('x'),
    ],
    ['/x :: "yes" is not true or false', 'yes', (read: ActionParameters) => read.optionalBoolean('x')],
    ['/x :: a list is not an object', [], (read: ActionParameters) => read.optionalObject('x')],
    ['/x :: an object is not a list', {}, (read: ActionParameters) => read.optionalList('x')],
    ['/x/1 :: null is not a string', ['a', null], (read: ActionParameters) => read.optionalStringList('x')],
  ])('refuse: %s', (reason, x, read) => {
    expect(() => read(parameters({ x }))).toThrow(new InvalidRequestError(`${BEGINNING}${reason}'`));
  });

  it('do not mistake inherited members of an object for parameters', () => {
    expect(parameters({}).optionalObject('constructor')).toBeUndefined();
  });
});
