import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { printable, printableLines } from './printable';

describe('text for a screen', () => {
  it.each([
    ['colours and titles', '\u001b[31mred\u001b]0;title\u0007', '\ufffd[31mred\ufffd]0;title\ufffd'],
    ['a carriage return', 'harmless\rother', 'harmless other'],
    ['line breaks and tabs', 'a\r\n\tb', 'a b'],
    ['delete and the second set of controls', '\u007f\u0085\u009b2J', '\ufffd\ufffd\ufffd2J'],
    [
      'changes of direction',
      '\u202ea\u2066b\u2069\u200e\u200f\u061c',
      '\ufffda\ufffdb\ufffd\ufffd\ufffd\ufffd',
    ],
    ['line separators', 'a\u2028b\u2029', 'a\ufffdb\ufffd'],
  ])('shows %s as what they are', (_name, text, shown) => {
    expect(printable(text)).toBe(shown);
  });

  it('leaves everything else alone', () => {
    for (const text of ['urn:li:tag:日本 é 🚲', 'עברית', '~ "\\']) expect(printable(text)).toBe(text);
  });

  it('is as long as it was, unless lines or tabs were in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        fc.pre(!/[\t\n\r]/.test(text));
        expect(printable(text)).toHaveLength(text.length);
      }),
    );
  });

  it('text for a screen of several lines keeps them', () => {
    expect(printableLines('a\u001b\nb\n')).toBe('a\ufffd\nb\n');
  });
});
