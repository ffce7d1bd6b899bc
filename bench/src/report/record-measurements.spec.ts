import { describe, expect, it } from '@jest/globals';
import { formatRecords } from './record-measurements';

const ORIGIN = { date: '2026-11-26', commit: '01234567' };

describe('formatRecords', () => {
  it('keeps the case, its sizes and its figures, with the day and the commit', () => {
    // given two lines of a bench
    const written = {
      bench: 'ingest',
      case: 'write, indexing off',
      sizes: { unit: 'writes' },
      seconds: 30.1,
      rate: 5_000.5,
      p50Ms: 12,
      machine: { cores: 2 },
      ratioToFloor: 0.5,
      goal: [],
      met: null,
    };
    const memory = {
      bench: 'ingest',
      case: 'memory',
      sizes: {},
      seconds: 0,
      residentMb: { total: 555.6, node: 300 },
    };
    // when they are recorded
    const recorded = formatRecords(`${JSON.stringify(written)}\n${JSON.stringify(memory)}\n`, ORIGIN);
    // then each is a line
    expect(recorded.map((line) => JSON.parse(line) as unknown)).toEqual([
      {
        ...ORIGIN,
        bench: 'ingest',
        case: 'write, indexing off',
        sizes: { unit: 'writes' },
        figures: { rate: 5_000.5, p50Ms: 12, ratioToFloor: 0.5, seconds: 30.1 },
      },
      { ...ORIGIN, bench: 'ingest', case: 'memory', sizes: {}, figures: { residentMb: 556 } },
    ]);
  });

  it.each(['> stratalog@0.1.0 bench', '{"case":"writes"}', '[]', 'null'])('rejects the line %s', (line) => {
    expect(() => formatRecords(line, ORIGIN)).toThrow('line 1 is not a measurement');
  });
});
