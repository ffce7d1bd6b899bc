import { describe, expect, it } from '@jest/globals';
import { parseClientsArguments } from './clients-arguments';

describe('the arguments of npm run clients', () => {
  it.each([
    [[], { kind: 'try', releases: ['0.12.1.5', '1.7.0.17'] }],
    [['--release', '1.7.0.17'], { kind: 'try', releases: ['1.7.0.17'] }],
    [['--help'], { kind: 'usage', status: 0, text: expect.stringContaining('Usage: npm run clients') }],
    [
      ['--release', '0.8'],
      { kind: 'usage', status: 2, text: expect.stringMatching(/'0.8'.*0.12.1.5, 1.7.0.17/) },
    ],
    [
      ['--nonsense'],
      { kind: 'usage', status: 2, text: expect.stringContaining("unknown option '--nonsense'") },
    ],
    [['extra'], { kind: 'usage', status: 2, text: expect.stringContaining('too many arguments') }],
  ])('%j', (args, parsed) => {
    expect(parseClientsArguments(args)).toEqual(parsed);
  });
});
