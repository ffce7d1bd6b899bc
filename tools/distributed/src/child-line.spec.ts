import { describe, expect, it } from '@jest/globals';
import { childLine } from './child-line';

const LINE = '{"level":"warn","time":"2026-11-22T10:20:30.123Z","app":"writer","pid":7,"msg":"waiting"}';

describe('childLine', () => {
  it.each([
    [LINE, false, `writer-2 | ${LINE}\n`],
    [LINE, true, 'writer-2 | 10:20:30 writer: WARN waiting\n'],
    ['stratalog: no', true, 'writer-2 | stratalog: no\n'],
  ])('names the app before %p', (line, isTerminal, shown) => {
    expect(childLine('writer-2', line, isTerminal)).toBe(shown);
  });

  it('names it before each line of a stack', () => {
    const line = LINE.replace('}', ',"err":{"stack":"Error: m\\n    at x"}}');
    expect(childLine('graph', line, true)).toBe(
      'graph | 10:20:30 writer: WARN waiting\ngraph |   Error: m\ngraph |       at x\n',
    );
  });
});
