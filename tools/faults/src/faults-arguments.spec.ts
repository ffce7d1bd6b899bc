import { describe, expect, it } from '@jest/globals';
import { FAULTS } from './distributed/fault-plans';
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

  it('have defaults, and a random seed', () => {
    const parsed = parseFaultsArguments(['crash']);
    expect(parsed).toMatchObject({ kind: 'crash', options: { rounds: 10, writers: 32, roundMs: 1500 } });
  });

  it('the arguments of npm run faults of the distributed test are more', () => {
    expect(parseFaultsArguments(['distributed', '--seed', '7'])).toEqual({
      kind: 'distributed',
      options: {
        seed: 7,
        rounds: 10,
        writers: 12,
        roundMs: 1500,
        producers: 4,
        faults: FAULTS,
        checkEvery: 25,
      },
    });
    const args = ['distributed', '--faults', 'kill-kafka,kill-writer', '--producers=0', '--check-every', '2'];
    expect(parseFaultsArguments(args)).toMatchObject({
      kind: 'distributed',
      options: { faults: ['kill-kafka', 'kill-writer'], producers: 0, checkEvery: 2 },
    });
  });

  it('the arguments of npm run faults of the races are no rounds', () => {
    expect(parseFaultsArguments(['races', '--seed', '7'])).toEqual({
      kind: 'races',
      options: { seed: 7, writers: 64, increments: 100_000, urns: 16, distributed: false },
    });
    const args = ['races', '--increments', '9', '--urns=3', '--writers', '2', '--distributed'];
    expect(parseFaultsArguments(args)).toMatchObject({
      options: { writers: 2, increments: 9, urns: 3, distributed: true },
    });
  });

  it('the arguments of npm run faults of the fuzz run include the number of requests', () => {
    expect(parseFaultsArguments(['fuzz', '--seed', '7', '--requests=500'])).toEqual({
      kind: 'fuzz',
      options: { seed: 7, writers: 16, requests: 500 },
    });
    expect(parseFaultsArguments(['fuzz'])).toMatchObject({ options: { requests: 50_000 } });
  });

  it.each([
    [['fuzz', '--rounds', '2'], "unknown option '--rounds'"],
    [['races', '--requests', '20'], "unknown option '--requests'"],
    [['fuzz', '--requests', '9'], "'9' is invalid. Allowed: an integer from 10"],
    [['races', '--rounds', '2'], "unknown option '--rounds'"],
    [['crash', '--urns', '3'], "unknown option '--urns'"],
    [['races', '--urns', '2'], "'2' is invalid. Allowed: an integer from 3"],
    [[], 'Usage: npm run faults --'],
    [['poison', '--faults', 'kill-kafka'], "unknown option '--faults'"],
    [['crash', '--producers', '2'], "unknown option '--producers'"],
    [['distributed', '--faults', 'kill-him'], "'kill-him' is invalid. Allowed: kill-ingest,"],
    [['distributed', '--check-every', '0'], '--check-every'],
    [['crush'], "unknown command 'crush'"],
    [['crash', 'twice'], 'too many arguments'],
    [['crash', '--seed', '-1'], '--seed'],
    [['crash', '--rounds', '0'], "'0' is invalid. Allowed: an integer from 1 to 100000"],
    [['crash', '--writers', 'many'], '--writers'],
    [['crash', '--colour'], '--colour'],
  ])('%j are rejected by name', (args, words) => {
    expect(parseFaultsArguments(args)).toEqual({
      kind: 'usage',
      status: 2,
      text: expect.stringContaining(words),
    });
  });

  it('may request the help', () => {
    expect(parseFaultsArguments(['--help'])).toMatchObject({ kind: 'usage', status: 0 });
  });
});
