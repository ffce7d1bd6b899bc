import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BenchProgram } from '../testing/bench-program';

const LIMIT_MS = limitMs(300_000);

describe('npm run bench, of the distributed catalog', () => {
  let temporary: string;
  beforeEach(() => {
    temporary = mkdtempSync(join(tmpdir(), 'bench-spec-'));
  });
  afterEach(() => {
    rmSync(temporary, { recursive: true, force: true });
  });

  const benchWith = (...args: readonly string[]): BenchProgram =>
    new BenchProgram(temporary, [...args, '--quick'], {
      DATABASE_URL: process.env.STRATALOG_TEST_DATABASE_URL,
      KAFKA_BROKERS: process.env.STRATALOG_TEST_KAFKA_BROKERS,
      ELASTICSEARCH_URL: process.env.STRATALOG_TEST_ELASTICSEARCH_URL,
    });

  it(
    'measures the way from Kafka to the index and leaves nothing behind',
    async () => {
      const bench = benchWith('pipeline');
      expect({ code: await bench.exitCode(), stderr: bench.stderr }).toMatchObject({ code: 0 });
      expect(bench.measurements.map((measurement) => measurement.case)).toEqual([
        'floor of Kafka',
        'floor of the engine',
        '1 writer: warm-up is searchable',
        '1 writer: from Kafka to committed',
        '1 writer: from committed to searchable',
      ]);
      expect(bench.measurements[3]).toMatchObject({
        rate: expect.any(Number),
        cpuCores: { writer: expect.any(Number), proxy: expect.any(Number) },
      });
      expect(readdirSync(temporary).filter((name) => name.startsWith('stratalog'))).toEqual([]);
    },
    LIMIT_MS,
  );

  it(
    'measures writing and reading through the proxy',
    async () => {
      const bench = benchWith('ingest', '--distributed');
      expect({ code: await bench.exitCode(), stderr: bench.stderr }).toMatchObject({ code: 0 });
      expect(bench.measurements.map((measurement) => measurement.case)).toContain(
        'write through the proxy, everything on',
      );
    },
    LIMIT_MS,
  );

  it(
    "measures searches and the engine's own queries",
    async () => {
      const bench = benchWith('search', '--distributed');
      expect({ code: await bench.exitCode(), stderr: bench.stderr }).toMatchObject({ code: 0 });
      const everything = bench.measurements.find(
        (measurement) => measurement.case === 'everything (*), 1 connection',
      );
      expect(everything).toMatchObject({ floor: { rate: expect.any(Number) } });
      expect(everything?.ratioToFloor).toBeGreaterThan(0);
    },
    LIMIT_MS,
  );
});
