import { beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock, Notifier } from '@stratalog/concurrency';
import { datasetUrn, timeseriesBatch, toRange } from '@stratalog/testkit';
import { PostgresAspectStore } from '../aspect-store/aspect-store';
import type { Statement } from '../database/database';
import {
  COUNT_TIMESERIES,
  EARLIEST_TIMESERIES,
  END_OF_SLICE,
  LATEST_TIMESERIES,
  LATEST_VALUES,
  DELETE_TIMESERIES,
} from './timeseries-statements';
import { useSuiteDatabase } from '../testing/suite-database';

const MONTHS = 24;
const PER_MONTH = 1_000;
const MONTH_MS = 2_629_800_000;
const DAY_MS = 86_400_000;
const MAX_PAGE_BYTES = 16 * 1024 * 1024;

/** A node of a plan in the output of `explain (analyze, format json)`. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Loops'?: number;
  readonly 'Actual Rows'?: number;
  readonly Plans?: readonly PlanNode[];
}

function flattenPlan(node: PlanNode): readonly PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(flattenPlan)];
}

/**
 * Values of one busy dataset over years, among others. Tests how the server finds some of them, with custom and with
 * generic plans.
 */
describe('The plans of timeseries statements', () => {
  const suite = useSuiteDatabase();
  const urn = datasetUrn('busy');
  const aspectName = 'datasetProfile';
  const nowMs = Date.now();
  const firstMs = nowMs - MONTHS * MONTH_MS;

  beforeAll(async () => {
    const options = { clock: systemClock, partitions: 4, changes: new Notifier() };
    const store = await PostgresAspectStore.open(suite.database, options);
    const logged = new Map<number, number>();
    const write = async (own: string, times: readonly number[]): Promise<void> => {
      const { partition } = toRange(own, 4, 0);
      const from = logged.get(partition) ?? 0;
      logged.set(partition, from + 1);
      const timeseriesValues = times.map((timestampMs) => ({
        urn: own,
        aspectName,
        timestampMs,
        valueKey: 'k',
        value: `{"timestampMillis":${String(timestampMs)}}`,
      }));
      await store.commit(timeseriesBatch([toRange(own, 4, from)], timeseriesValues));
    };
    for (let month = 0; month < MONTHS; month++) {
      const begin = firstMs + month * MONTH_MS;
      const times = Array.from({ length: PER_MONTH }, (_, at) => begin + at * (MONTH_MS / PER_MONTH));
      await write(urn, times.map(Math.round));
      await write(datasetUrn(`other-${String(month % 3)}`), times.map(Math.round));
    }
    await suite.database.use((client) => client.query('analyze timeseries_value'));
  });

  /** Reports which scans, tables and rows of timeseries values the server reads for a statement. */
  const explainTouched = async (
    { text }: Statement,
    values: readonly (string | number)[],
    mode: 'force_custom_plan' | 'force_generic_plan',
  ): Promise<{ readonly scans: readonly string[]; readonly tables: number; readonly rows: number }> => {
    const literals = values.map((value) => (typeof value === 'number' ? String(value) : `'${value}'`));
    const plan = await suite.database.use(async (client) => {
      await client.query(`begin; set local plan_cache_mode = ${mode}`);
      try {
        await client.query(`prepare explained as ${text}`);
        const { rows } = await client.query<{ 'QUERY PLAN': readonly [{ Plan: PlanNode }] }>(
          `explain (analyze, format json) execute explained(${literals.join(', ')})`,
        );
        return rows[0]?.['QUERY PLAN'][0].Plan;
      } finally {
        await client.query('rollback; deallocate all');
      }
    });
    if (plan === undefined) throw new Error('no plan');
    const scans = flattenPlan(plan).filter(
      (node) => node['Relation Name'] !== undefined && node['Node Type'].includes('Scan'),
    );
    // The default partition is empty here, so scanning it costs nothing.
    const touched = scans.filter(
      (node) => (node['Actual Loops'] ?? 0) > 0 && node['Relation Name'] !== 'timeseries_value_default',
    );
    return {
      scans: [...new Set(touched.map((node) => node['Node Type']))],
      tables: new Set(touched.map((node) => node['Relation Name'])).size,
      rows: touched.reduce((sum, node) => sum + (node['Actual Rows'] ?? 0) * (node['Actual Loops'] ?? 0), 0),
    };
  };
  const page = (from: number, to: number, limit: number, isLatest: boolean) => [
    urn,
    aspectName,
    from,
    to,
    isLatest ? to : from,
    isLatest ? '~' : '',
    limit + 1,
    MAX_PAGE_BYTES,
  ];
  const LOWEST = Number.MIN_SAFE_INTEGER;
  const HIGHEST = Number.MAX_SAFE_INTEGER;

  describe.each(['force_custom_plan', 'force_generic_plan'] as const)('with %s', (mode) => {
    it('find the latest value with one index probe per month', async () => {
      const { scans, tables, rows } = await explainTouched(
        LATEST_TIMESERIES,
        page(LOWEST, HIGHEST, 1, true),
        mode,
      );
      expect(scans).toEqual([expect.stringMatching(/^Index (Only )?Scan$/)]);
      // The default partition may hold any timestamp, so the months cannot be read one after another.
      expect(tables).toBeLessThanOrEqual(MONTHS + 2);
      expect(rows).toBeLessThanOrEqual(2 + tables);
    });

    it('find the latest values of an entity with one index probe per month and aspect', async () => {
      const values = [`{"${urn}","${urn}"}`, '{datasetProfile,operation}', MAX_PAGE_BYTES];
      const { scans, rows } = await explainTouched(LATEST_VALUES, values, mode);
      expect(scans.filter((scan) => !scan.startsWith('Index'))).toEqual([]);
      expect(rows).toBeLessThanOrEqual(2 * (MONTHS + 2));
    });

    it('read no more rows than a page holds, from either end', async () => {
      for (const [statement, isLatest] of [
        [LATEST_TIMESERIES, true],
        [EARLIEST_TIMESERIES, false],
      ] as const) {
        const { scans, tables, rows } = await explainTouched(
          statement,
          page(LOWEST, HIGHEST, 1_500, isLatest),
          mode,
        );
        expect(scans).toEqual(['Index Scan']);
        expect(rows).toBeLessThanOrEqual(1_502 + tables);
      }
    });

    it('read a range only in its months', async () => {
      const from = firstMs + 10.2 * MONTH_MS;
      const bounds = page(Math.round(from), Math.round(from + DAY_MS), 10_000, true);
      const { scans, tables, rows } = await explainTouched(LATEST_TIMESERIES, bounds, mode);
      expect(scans).not.toContain('Seq Scan');
      expect(rows).toBeLessThan(PER_MONTH / 10);
      expect(tables).toBeLessThanOrEqual(3);
    });

    it('delete and count a range only in its months', async () => {
      // Within whole months: the first one may have so few values that a scan of all is cheaper.
      const from = firstMs + 10.2 * MONTH_MS;
      const bounds = [urn, aspectName, Math.round(from), Math.round(from + DAY_MS)];
      for (const [statement, values] of [
        [DELETE_TIMESERIES, bounds],
        [COUNT_TIMESERIES, bounds],
        [END_OF_SLICE, [...bounds, 100]],
      ] as const) {
        const { scans, tables, rows } = await explainTouched(statement, values, mode);
        expect(scans).not.toContain('Seq Scan');
        expect(rows).toBeLessThan(PER_MONTH / 10);
        expect(tables).toBeLessThanOrEqual(3);
      }
    });
  });
});
