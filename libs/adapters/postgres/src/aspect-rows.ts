import type { AspectVersion, StoredAspect, SystemMetadata } from '@stratalog/model';
import { parseJson } from '@stratalog/model';

/** The columns of `aspect_latest` that make a {@link StoredAspect}, the name apart. */
export interface LatestRow {
  readonly version: number;
  readonly value: string;
  readonly system_metadata: string;
  readonly observed: string;
  readonly created_ms: number;
  readonly actor: string;
}

export function storedAspectOf(name: string, row: LatestRow): StoredAspect {
  return { name, ...versionOf(row), observed: parseJson(row.observed) as SystemMetadata };
}

export function versionOf(row: Omit<LatestRow, 'observed'>): AspectVersion {
  return {
    version: row.version,
    value: row.value,
    created: { time: row.created_ms, actor: row.actor },
    systemMetadata: parseJson(row.system_metadata) as SystemMetadata,
  };
}
