import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BenchProgram } from './testing/bench-program';

const LIMIT_MS = limitMs(300_000);

describe('npm run bench', () => {
  let temporary: string;
  beforeEach(() => {
    temporary = mkdtempSync(join(tmpdir(), 'bench-spec-'));
  });
  afterEach(() => {
    rmSync(temporary, { recursive: true, force: true });
  });

  it(
    'measures every case of writing and leaves nothing behind',
    async () => {
      const bench = new BenchProgram(temporary, ['ingest', '--quick']);
      expect({ code: await bench.exitCode(), stderr: bench.stderr }).toMatchObject({ code: 0 });
      expect(bench.measurements.map((measurement) => measurement.case)).toEqual([
        'floor',
        'floor',
        'write, indexing off',
        'cost per write by version',
        'write to searchable',
        'highest rate with the index within 5 s',
        'read entity, at 1000/s',
        'read entity, at full speed',
        'read version, at 1000/s',
        'read version, at full speed',
        'floor',
        'index catches up, no writes',
        'memory after all writes and reads',
        'floor',
        'write, indexing on',
      ]);
      const written = bench.measurements.filter(({ floor }) => floor !== undefined);
      expect(written).toHaveLength(2);
      for (const measurement of written) {
        expect(measurement.machine.durability).toBe('fsync=on full_page_writes=on synchronous_commit=on');
        expect(measurement.rate).toBeGreaterThan(0);
        expect(measurement.ratioToFloor).toBeGreaterThan(0);
        expect(measurement.goal).toHaveLength(3);
      }
      expect(readdirSync(temporary)).toEqual([]);
    },
    LIMIT_MS,
  );

  it(
    'measures rebuilds of indices',
    async () => {
      const bench = new BenchProgram(temporary, ['restore', '--quick']);
      expect({ code: await bench.exitCode(), stderr: bench.stderr }).toMatchObject({ code: 0 });
      expect(bench.measurements.map((measurement) => measurement.case)).toEqual([
        'load through the proposal log',
        'rebuild the search index to searchable',
        'rebuild the graph index to searchable',
        'write, one at a time',
        'write, one at a time, alongside a truncation',
      ]);
    },
    LIMIT_MS,
  );

  it(
    'measures evaluations of metadata tests',
    async () => {
      const bench = new BenchProgram(temporary, ['tests', '--quick']);
      expect({ code: await bench.exitCode(), stderr: bench.stderr }).toMatchObject({ code: 0 });
      expect(bench.measurements.map((measurement) => measurement.case)).toEqual([
        'load through the proposal log',
        'evaluate tests, every result is new',
        'evaluate tests, no result is new',
        'write to its result, one at a time',
      ]);
    },
    LIMIT_MS,
  );

  it(
    'measures what indexing costs',
    async () => {
      const bench = new BenchProgram(temporary, ['ingest', '--quick', '--indexing']);
      expect({ code: await bench.exitCode(), stderr: bench.stderr }).toMatchObject({ code: 0 });
      expect(bench.measurements.map((measurement) => measurement.case)).toEqual([
        'write, indexing off',
        'write, indexing off, at 500/s',
        'write, indexing on, at 500/s',
        'write to searchable',
        'write, indexing on',
      ]);
      expect(bench.measurements.at(-1)?.ratioToFloor).toBeGreaterThan(0);
      expect(readdirSync(temporary)).toEqual([]);
    },
    LIMIT_MS,
  );

  it(
    'measures single ways of writing and equivalent bare SQL',
    async () => {
      const shapes = ['--plain', '--batch', '--snapshot', '--patch', '--conditional'];
      const bench = new BenchProgram(temporary, ['ingest', '--quick', ...shapes]);
      expect({ code: await bench.exitCode(), stderr: bench.stderr }).toMatchObject({ code: 0 });
      const written = bench.measurements.filter(({ floor }) => floor !== undefined);
      expect(written.map((measurement) => [measurement.case, measurement.goal.length])).toEqual([
        ['write, plain proposals', 0],
        ['write, batches of 200 aspects', 2],
        ['write, 50 snapshots a request', 0],
        ['write, patches', 0],
        ['write, on condition', 0],
      ]);
      for (const { rate, ratioToFloor } of written) {
        expect(rate).toBeGreaterThan(0);
        expect(ratioToFloor).toBeGreaterThan(0);
      }
      expect(readdirSync(temporary)).toEqual([]);
    },
    LIMIT_MS,
  );

  it(
    'measures reads of entities and their histories',
    async () => {
      const bench = new BenchProgram(temporary, ['read', '--quick']);
      expect({ code: await bench.exitCode(), stderr: bench.stderr }).toMatchObject({ code: 0 });
      expect(bench.measurements.map((measurement) => measurement.case)).toEqual(
        [
          ['entity of 10 aspects', '1000'],
          ['version in a history', '1000'],
          ['range of 50 versions', '200'],
          ['entity as it was', '500'],
        ].flatMap(([name = '', rate = '']) => [`${name}, at ${rate}/s`, `${name}, at full speed`]),
      );
      expect(bench.measurements.every(({ rate = 0 }) => rate > 0)).toBe(true);
      expect(readdirSync(temporary)).toEqual([]);
    },
    LIMIT_MS,
  );

  it(
    'measures every class of queries',
    async () => {
      const bench = new BenchProgram(temporary, ['search', '--quick']);
      expect({ code: await bench.exitCode(), stderr: bench.stderr }).toMatchObject({ code: 0 });
      const cases = bench.measurements.map((measurement) => measurement.case);
      expect(cases).toEqual(
        expect.arrayContaining([
          'load through the proposal log',
          'build the index',
          'no match, 1 connection',
          'mix of 1 to 1,000 matches, 1 connection',
          'mix of 1 to 1,000 matches, 4 connections',
          'everything (*), 4 connections',
          'CONTAIN of a name, 1 connection',
          'order by name, 32 connections',
          'facets of everything, 1 connection',
          'autocomplete, 32 connections',
          'memory after all queries',
        ]),
      );
      expect(readdirSync(temporary)).toEqual([]);
    },
    LIMIT_MS,
  );

  it(
    'stops every process and removes every file when it is told to end',
    async () => {
      const bench = new BenchProgram(temporary, ['search', '--quick']);
      await bench.printed(/loading 500 datasets/);
      bench.signal('SIGTERM');
      expect(await bench.exitCode()).toBe(1);
      expect(bench.stderr).toContain('stopped by SIGTERM');
      expect(readdirSync(temporary)).toEqual([]);
    },
    LIMIT_MS,
  );

  it('measures the model and leaves nothing behind', async () => {
    const bench = new BenchProgram(temporary, ['validate', '--quick']);
    expect({ code: await bench.exitCode(), stderr: bench.stderr }).toMatchObject({ code: 0 });
    expect(bench.measurements.map((measurement) => measurement.case)).toEqual([
      'loading the model in a new process',
      'small aspects',
      'schemas of 50 columns',
    ]);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it(
    'measures timeseries values and leaves nothing behind',
    async () => {
      const bench = new BenchProgram(temporary, ['timeseries', '--quick']);
      expect({ code: await bench.exitCode(), stderr: bench.stderr }).toMatchObject({ code: 0 });
      expect(bench.measurements.map((measurement) => measurement.case)).toEqual([
        'write timeseries values through the proposal log',
        'write usage through the proposal log',
        'statistics: sums of each day',
        'statistics: most active users',
        'batches of 500 timeseries values over HTTP',
        'latest value',
        'range of 1000 timeseries values',
        'delete the first tenth',
        'delete the entity with the rest',
      ]);
      expect(readdirSync(temporary)).toEqual([]);
    },
    LIMIT_MS,
  );

  it(
    'measures walks through lineage and recursive SQL, and leaves nothing behind',
    async () => {
      const bench = new BenchProgram(temporary, ['graph', '--quick']);
      expect({ code: await bench.exitCode(), stderr: bench.stderr }).toMatchObject({ code: 0 });
      const walks = [
        '1 hop to 10',
        '2 hops to 110',
        '3 hops to 1110',
        '1 hop to 10',
        '10 hops to 100',
        'a page of a hub of 300',
        'an unknown urn, 10 hops',
      ];
      expect(bench.measurements.map((measurement) => measurement.case)).toEqual([
        'write lineage through the proposal log',
        'build the graph',
        ...walks.flatMap((name) => [`${name}, 1 client`, `${name}, 8 clients`]),
      ]);
      const found = bench.measurements.flatMap(({ sizes }) => sizes.found ?? []);
      expect(found).toEqual([10, 10, 110, 110, 1110, 1110, 10, 10, 100, 100, 0, 0]);
      expect(readdirSync(temporary)).toEqual([]);
    },
    LIMIT_MS,
  );

  it(
    'measures GraphQL beside Rest.li, and leaves nothing behind',
    async () => {
      const bench = new BenchProgram(temporary, ['graphql', '--quick']);
      expect({ code: await bench.exitCode(), stderr: bench.stderr }).toMatchObject({ code: 0 });
      const cases = ['an entity', 'a page of a search with owners and tags', 'lineage of 3 hops'];
      expect(bench.measurements.map((measurement) => measurement.case)).toEqual(
        cases.flatMap((name) => [`${name}, Rest.li`, `${name}, GraphQL`]),
      );
      expect(readdirSync(temporary)).toEqual([]);
    },
    LIMIT_MS,
  );

  it('prints its help', async () => {
    const bench = new BenchProgram(temporary, ['--help']);
    expect(await bench.exitCode()).toBe(0);
    expect(bench.stdout).toContain('Usage: npm run bench -- ');
  });

  it('rejects a way of writing for another bench', async () => {
    const bench = new BenchProgram(temporary, ['search', '--batch']);
    expect(await bench.exitCode()).toBe(2);
    expect(bench.stderr).toContain("unknown option '--batch'");
  });

  it('rejects an unknown name', async () => {
    const bench = new BenchProgram(temporary, ['everything']);
    expect(await bench.exitCode()).toBe(2);
    expect(bench.stderr).toContain("unknown command 'everything'");
  });
});
