import { describe, expect, it } from '@jest/globals';
import { parseFaultsArguments } from './faults-arguments';

describe('the arguments of npm run faults', () => {
  it('are a test and its options', () => {
    expect(
      parseFaultsArguments(['crash', '--seed', '7', '--rounds=3', '--writers', '8', '--round-ms', '500']),
    ).toEqual({
      kind: 'crash',
      options: { seed: 7, rounds: 3, writers: 8, roundMs: 500 },
    });
  });

  it('have defaults, and a seed that is drawn', () => {
    const parsed = parseFaultsArguments(['crash']);
    expect(parsed).toMatchObject({ kind: 'crash', options: { rounds: 10, writers: 32, roundMs: 1500 } });
  });

  it.each([
    [[], 'expected the name of a fault test: crash; got ""'],
    [['crush'], 'got "crush"'],
    [['crash', '--seed', '-1'], '--seed'],
    [['crash', '--rounds', '0'], '--rounds is "0"; allowed: an integer from 1 to 100000'],
    [['crash', '--writers', 'many'], '--writers is "many"'],
    [['crash', '--colour'], '--colour'],
  ])('%j are refused by name', (args, words) => {
    expect(parseFaultsArguments(args)).toMatchObject({
      kind: 'usage',
      fault: expect.stringContaining(words),
    });
  });

  it('may ask for help', () => {
    expect(parseFaultsArguments(['--help'])).toEqual({ kind: 'help' });
  });
});
