import { describe, expect, it } from '@jest/globals';
import { parseClientsArguments } from './clients-arguments';

describe('the arguments of npm run clients', () => {
  it.each([
    [[], { kind: 'try', releases: ['0.12.1.5', '1.7.0.17'] }],
    [['--release', '1.7.0.17'], { kind: 'try', releases: ['1.7.0.17'] }],
    [['--help'], { kind: 'help' }],
    [['-h'], { kind: 'help' }],
    [['--release', '0.8'], { kind: 'usage', fault: '--release is "0.8"; allowed: 0.12.1.5, 1.7.0.17' }],
    [['--nonsense'], { kind: 'usage', fault: expect.stringContaining("Unknown option '--nonsense'") }],
    [['extra'], { kind: 'usage', fault: expect.stringContaining("'extra'") }],
  ])('%j', (args, parsed) => {
    expect(parseClientsArguments(args)).toEqual(parsed);
  });
});
