import type { LoadCommands } from '../load/load';
import type { LoadFigures } from '../load/load-figures';
import type { CpuCores } from '../machine/process-usage';
import type { Finding, Floor, Goal } from '../report/measurement';
import type { StartedCase, Report } from '../report/report';
import type { MeasuredCatalog } from '../serve/measured-catalog';
import { VALUE_BYTES } from '../workload/write-workload';
import { NEW_SHARE, WRITE_CONNECTIONS } from './ingest-sizes';
import type { IngestBench } from './ingest-bench';

const MIX = { valueBytes: VALUE_BYTES, newShare: NEW_SHARE } as const;

/** The parts of a bench that a case needs. */
export type WriteBench = Pick<IngestBench, 'report' | 'load' | 'sizes'>;

/** Fills a new catalog with its entities, and warms up the code of both sides. */
export async function prepare({ report, load, sizes }: WriteBench, { url }: MeasuredCatalog): Promise<void> {
  report.begin(`filling a catalog with ${String(sizes.entities)} entities`);
  await load.call('fill', { url, count: sizes.entities });
}

/** A measured case whose second floor is still to be measured. */
export interface Uncompared {
  /** Writes per second. */
  readonly rate: number;
  /** Reports the case, with the mean of the floors if there are any. */
  compareWith(...floors: readonly Floor[]): void;
}

export interface WriteCase {
  readonly name: string;
  /** Another address than the catalog's own. */
  readonly url?: string;
  readonly goals: readonly Goal[];
}

/** Measures durable, acknowledged writes, one proposal a request, at the highest rate of the catalog. */
export async function writeFast(
  { report, load, sizes }: WriteBench,
  catalog: MeasuredCatalog,
  { name, url = catalog.url, goals }: WriteCase,
): Promise<Uncompared> {
  const started = report.begin(name);
  const mix = { url, knownAs: catalog.url, connections: WRITE_CONNECTIONS, newShare: NEW_SHARE };
  await load.call('write', { ...mix, seconds: sizes.warmSeconds });
  const figures = await catalog.watching(name, () =>
    load.call('write', { ...mix, seconds: sizes.writeSeconds }),
  );
  return compared(report, started, {
    case: name,
    sizes: { unit: 'writes', entities: sizes.entities, connections: WRITE_CONNECTIONS, ...MIX },
    ...measured(figures),
    ...resident(catalog),
    goals,
  });
}

/** Makes a finding that is reported once its floors are known: with their mean. */
export function compared(report: Report, started: StartedCase, finding: Finding): Uncompared {
  return {
    rate: finding.rate ?? 0,
    compareWith: (...floors) => {
      report.add(started, { ...finding, ...meanFloor(floors) });
    },
  };
}

function meanFloor([first, ...others]: readonly Floor[]): Pick<Finding, 'floor'> {
  if (first === undefined) return {};
  if (others.length === 0) return { floor: first };
  const sum = others.reduce((total, { rate }) => total + rate, first.rate);
  return {
    floor: { what: `${first.what}; mean of before and after`, rate: sum / (1 + others.length) },
  };
}

/** Checks that the cost of a write does not depend on the number of versions of its aspect. */
export async function versionsFlat(
  { report, load, sizes }: IngestBench,
  catalog: MeasuredCatalog,
): Promise<void> {
  const started = report.begin(
    `versions 1 to ${String(sizes.versions)} of ${String(WRITE_CONNECTIONS)} aspects`,
  );
  const name = 'cost per write by version';
  const { figures, firstTenth, lastTenth, cpuCores } = await catalog.watching(name, () =>
    load.call('writeVersions', {
      url: catalog.url,
      entities: WRITE_CONNECTIONS,
      versions: sizes.versions,
    }),
  );
  report.add(started, {
    case: name,
    sizes: {
      unit: 'writes',
      aspects: WRITE_CONNECTIONS,
      versions: sizes.versions,
      firstTenthP50Ms: firstTenth.p50Ms,
      lastTenthP50Ms: lastTenth.p50Ms,
      ratioIs: 'p50 of the last tenth of the versions to p50 of the first tenth',
    },
    ...measured({ ...figures, ...(cpuCores === undefined ? {} : { cpuCores }) }),
    ratio: lastTenth.p50Ms / firstTenth.p50Ms,
    goals: [{ of: 'ratio', atMost: 1.25 }],
  });
}

const SAMPLE_EVERY = 10;

export interface SearchableCase {
  /** Writes a second. */
  readonly rate: number;
  readonly goals: readonly Goal[];
}

/** Writes at a rate, and searches for some of the writes until they are found. */
export function pacedUntilSearchable(
  load: WriteBench['load'],
  url: string,
  { rate, seconds }: { readonly rate: number; readonly seconds: number },
): ReturnType<LoadCommands['writeToSearchable']> {
  const mix = { connections: WRITE_CONNECTIONS, newShare: NEW_SHARE, sampleEvery: SAMPLE_EVERY };
  return load.call('writeToSearchable', { url, rate, seconds, ...mix });
}

/** Measures from sending a write to the answer of the search that found it. */
export async function writeToSearchable(
  { report, load, sizes }: WriteBench,
  catalog: MeasuredCatalog,
  { rate, goals }: SearchableCase,
): Promise<void> {
  const started = report.begin(`write to searchable at ${String(rate)} writes/s`);
  const name = 'write to searchable';
  const { figures, searchable, cpuCores } = await catalog.watching(name, () =>
    pacedUntilSearchable(load, catalog.url, { rate, seconds: sizes.searchableSeconds }),
  );
  report.add(started, {
    case: name,
    sizes: {
      unit: 'writes',
      pacedRate: rate,
      samples: searchable.count,
      acknowledgedP50Ms: figures.p50Ms,
      acknowledgedP99Ms: figures.p99Ms,
      ...MIX,
    },
    ...measured({ ...figures, ...(cpuCores === undefined ? {} : { cpuCores }) }),
    p50Ms: searchable.p50Ms,
    p95Ms: searchable.p95Ms,
    p99Ms: searchable.p99Ms,
    maxMs: searchable.maxMs,
    goals,
  });
}

/** Converts a load's figures to those of a finding. */
export function measured(
  figures: LoadFigures & { readonly cpuCores?: CpuCores },
): Pick<Finding, 'seconds' | 'rate' | 'p50Ms' | 'p95Ms' | 'p99Ms' | 'maxMs' | 'cpuCores'> {
  const { seconds, rate, p50Ms, p95Ms, p99Ms, maxMs, cpuCores, loadCores } = figures;
  return {
    seconds,
    rate,
    p50Ms,
    p95Ms,
    p99Ms,
    maxMs,
    ...(cpuCores === undefined ? {} : { cpuCores: { ...cpuCores, load: loadCores } }),
  };
}

export function resident(catalog: MeasuredCatalog): Pick<Finding, 'residentMb'> {
  const residentMb = catalog.residentMb();
  return residentMb === undefined ? {} : { residentMb };
}
