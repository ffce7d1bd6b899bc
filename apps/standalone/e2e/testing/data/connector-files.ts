import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, parseJson, type JsonObject } from '@stratalog/json';

/** The folder of connector data: that of the setting, else our own. `libs/testkit/connector-data/README.md` describes both. */
export const CONNECTOR_DATA =
  process.env.STRATALOG_CONNECTOR_DATA ??
  join(import.meta.dirname, '../../../../../libs/testkit/connector-data');

export const CONNECTOR_FOLDER = join(CONNECTOR_DATA, 'data');

export const TIMESERIES_ASPECTS: readonly unknown[] = [
  'chartUsageStatistics',
  'dashboardUsageStatistics',
  'datasetProfile',
  'datasetUsageStatistics',
  'operation',
];

/** How much a file holds. */
export interface FileFacts {
  /** Aspects in snapshots. */
  readonly inSnapshots: number;
  /** Proposals of timeseries aspects. */
  readonly timeseries: number;
  /** Key aspects that differ from their urn. */
  readonly otherKeys?: number;
  /** Edges of its entities. */
  readonly edges?: number;
}

/** Counted once, by hand, in files that real connectors wrote. */
const REAL_FILES: Readonly<Record<string, FileFacts>> = {
  'dbt.mixed.json': { inSnapshots: 75, timeseries: 0, edges: 40 },
  'iceberg-profile.timeseries.json': { inSnapshots: 4, timeseries: 1, edges: 2 },
  'kafka.mixed.json': { inSnapshots: 14, timeseries: 0, edges: 7 },
  'looker.mixed.json': { inSnapshots: 15, timeseries: 0, edges: 12 },
  'mlflow.proposals.json': { inSnapshots: 0, timeseries: 0, otherKeys: 0, edges: 2 },
  'postgres.mixed.json': { inSnapshots: 6, timeseries: 1, edges: 6 },
  'powerbi.proposals.json': { inSnapshots: 0, timeseries: 0, otherKeys: 8, edges: 31 },
  'sagemaker.mixed.json': { inSnapshots: 78, timeseries: 0, edges: 62 },
  'snowflake.proposals.json': { inSnapshots: 0, timeseries: 32, otherKeys: 0, edges: 184 },
  'tableau.mixed.json': { inSnapshots: 217, timeseries: 2, edges: 678 },
  'trino-usage.timeseries.json': { inSnapshots: 0, timeseries: 1, edges: 0 },
};

export const REAL_FILE_NAMES = Object.keys(REAL_FILES);

/** The files whose name has one of the endings, each with its facts: known ones of a real file, else counted in it. */
export function connectorFiles(
  ...endings: readonly string[]
): readonly ({ readonly file: string } & FileFacts)[] {
  return readdirSync(CONNECTOR_FOLDER)
    .filter((file) => endings.some((ending) => file.endsWith(`.${ending}.json`)))
    .sort()
    .map((file) => ({ file, ...(REAL_FILES[file] ?? countIn(readConnectorRecords(file))) }));
}

export function readConnectorRecords(file: string): readonly JsonObject[] {
  return parseJson(readFileSync(join(CONNECTOR_FOLDER, file), 'utf8')) as JsonObject[];
}

function countIn(records: readonly JsonObject[]): FileFacts {
  const snapshots = records.flatMap(({ proposedSnapshot }) =>
    isJsonObject(proposedSnapshot)
      ? (Object.values(proposedSnapshot) as unknown as { aspects: unknown[] }[])
      : [],
  );
  return {
    inSnapshots: snapshots.reduce((sum, { aspects }) => sum + aspects.length, 0),
    timeseries: records.filter(({ aspectName }) => TIMESERIES_ASPECTS.includes(aspectName)).length,
  };
}
