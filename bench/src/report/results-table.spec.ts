import { describe, expect, it } from '@jest/globals';
import type { Measurement } from './measurement';
import { resultsTable } from './results-table';

function measured(name: string, goal: Measurement['goal']): Measurement {
  return { case: name, goal } as Measurement;
}

describe('resultsTable', () => {
  it('has a line for each goal and says by how much one was missed', () => {
    const table = resultsTable([
      measured('writes', [
        { of: 'rate', atLeast: 7_000, got: 6_300, met: false },
        { of: 'rate', atLeast: 5_000, got: 6_300, met: true },
      ]),
      measured('floor', []),
      measured('reads', [{ of: 'p99Ms', atMost: 5, got: 3.14159, met: true }]),
      measured('memory', [{ of: 'residentMb', atMost: 700, got: null, met: false }]),
    ]);
    expect(table.split('\n')).toEqual([
      'case    measure     goal     result',
      'writes  rate        >= 7000  6300          MISSED by 10%',
      'writes  rate        >= 5000  6300          met',
      'reads   p99Ms       <= 5     3.14          met',
      'memory  residentMb  <= 700   not measured  MISSED',
    ]);
  });
});
