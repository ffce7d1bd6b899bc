import { describe, expect, it } from '@jest/globals';
import { holds, linesHold } from './holds';

describe('holds', () => {
  it.each([
    ['a member that the page leaves out', { a: 1 }, { a: 1, b: 2 }, true],
    ['a member that the answer lacks', { a: 1, b: 2 }, { a: 1 }, false],
    ['another value', { a: 1 }, { a: 2 }, false],
    ['anything', { a: '…' }, { a: [1] }, true],
    ['anything where there is nothing', { a: '…' }, {}, false],
    ['a text in part', { a: 'from … to' }, { a: 'from here to' }, true],
    ['another time', { time: 1795261745609 }, { time: 1895261745609 }, true],
    ['the rest of a list', [1, '…'], [1, 2, 3], true],
    ['a longer list', [1], [1, 2], false],
  ])('%s', (_name, shown, answer, expected) => {
    expect(holds(shown, answer)).toBe(expected);
  });
});

describe('linesHold', () => {
  const output = 'HTTP/1.1 200 OK\r\nx-stratalog-position: 1f.1.7:15\r\n\r\n{"value":"x"}';

  it.each([
    ['lines with others between', 'x-stratalog-position: ….1.7:15\n{"value":"x"}', true],
    ['lines in another order', '{"value":"x"}\nHTTP/1.1 200 OK', false],
    ['part of a line', '200 OK', false],
  ])('%s', (_name, shown, expected) => {
    expect(linesHold(shown, output)).toBe(expected);
  });
});
