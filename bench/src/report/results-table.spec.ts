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
    const [, ...rows] = table.split('\n').map((line) => line.split(/ {2,}/));
    expect(rows.map((cells) => [cells[0], cells.at(-1)])).toEqual([
      ['writes', expect.stringMatching(/MISSED .*10%/)],
      ['writes', 'met'],
      ['reads', 'met'],
      ['memory', 'MISSED'],
    ]);
  });
});
