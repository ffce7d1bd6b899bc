import type { AspectVersion, StoredAspect, SystemMetadata } from '@stratalog/domain';
import { parseJson } from '@stratalog/json';

/** The columns of `aspect_latest` that form a {@link StoredAspect}, except the name. */
export interface LatestRow {
  readonly version: number;
  readonly value: string;
  readonly system_metadata: string;
  readonly observed: string;
  readonly created_ms: number;
  readonly actor: string;
  readonly aspect_created_ms: number | null;
  readonly aspect_created_by: string | null;
}

/** Lists the columns of {@link LatestRow}, qualified with the given table. */
export function latestColumns(table: string): string {
  return [
    'version',
    'value',
    'system_metadata',
    'observed',
    'created_ms',
    'actor',
    'aspect_created_ms',
    'aspect_created_by',
  ]
    .map((column) => `${table}.${column}`)
    .join(', ');
}

export function toStoredAspect(name: string, row: LatestRow): StoredAspect {
  return {
    name,
    ...toVersion(row),
    aspectCreated: {
      time: row.aspect_created_ms ?? row.created_ms,
      actor: row.aspect_created_by ?? row.actor,
    },
    observed: parseJson(row.observed) as SystemMetadata,
  };
}

/** The columns of every stored version. */
export type VersionRow = Omit<LatestRow, 'observed' | 'aspect_created_ms' | 'aspect_created_by'>;

export function toVersion(row: VersionRow): AspectVersion {
  return {
    version: row.version,
    value: row.value,
    created: { time: row.created_ms, actor: row.actor },
    systemMetadata: parseJson(row.system_metadata) as SystemMetadata,
  };
}
