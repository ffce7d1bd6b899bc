import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { BenchProgram } from '../testing/bench-program';

const LIMIT_MS = limitMs(300_000);

it(
  'measures what each page loads, when it paints, and how soon it answers',
  async () => {
    const temporary = mkdtempSync(join(tmpdir(), 'bench-spec-'));
    try {
      const bench = new BenchProgram(temporary, ['pages', '--quick']);
      expect({ code: await bench.exitCode(), stderr: bench.stderr }).toMatchObject({ code: 0 });
      const pages = ['home', 'search', 'entity', 'columns', 'lineage', 'browse', 'health'];
      expect(bench.measurements.map((measurement) => measurement.case)).toEqual([
        ...pages.flatMap((page) => [`content of ${page}`, `script of ${page}`]),
        'Enter to results',
        'text to suggestions',
        'click to tab',
      ]);
      for (const { case: of, ratio, p50Ms, sizes } of bench.measurements) {
        expect([of, (ratio ?? p50Ms ?? 0) > 0]).toEqual([of, true]);
        if (of.startsWith('content')) expect(sizes.firstPaintMs).toBeGreaterThan(0);
      }
      expect(readdirSync(temporary)).toEqual([]);
    } finally {
      rmSync(temporary, { recursive: true, force: true });
    }
  },
  LIMIT_MS,
);
