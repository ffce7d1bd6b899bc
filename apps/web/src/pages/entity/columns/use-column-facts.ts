import { useMemo } from 'react';
import { isObject, list } from '../../../data/entity-card';
import { toMs } from '../../../data/times';
import { useCall } from '../../../data/use-call';
import { splitUrn } from '../../../data/urns';
import { useEntityView } from '../entity-context';
import { useTimeseries } from '../use-timeseries';

export interface ColumnProfile {
  /** The share of rows that have a value. */
  readonly filled: number | undefined;
  readonly distinct: number | undefined;
  readonly rows: number | undefined;
  readonly min: string | undefined;
  readonly max: string | undefined;
  readonly atMs: number | undefined;
}

/** What the last profile says about each column, by its path. The past has none. */
export function useColumnProfiles(): ReadonlyMap<string, ColumnProfile> {
  const { urn, model, atMs } = useEntityView();
  const { values } = useTimeseries({ urn, type: model.name, aspect: 'datasetProfile', limit: 1 });
  return useMemo(() => {
    const [profile] = atMs === undefined ? (values ?? []) : [];
    const rows = toMs(profile?.rowCount);
    const measuredMs = toMs(profile?.timestampMillis);
    return new Map(
      list(profile?.fieldProfiles).flatMap((each): readonly (readonly [string, ColumnProfile])[] => {
        if (!isObject(each) || typeof each.fieldPath !== 'string') return [];
        const missing = typeof each.nullProportion === 'number' ? each.nullProportion : undefined;
        const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
        return [
          [
            each.fieldPath,
            {
              filled: missing === undefined ? undefined : Math.min(1, Math.max(0, 1 - missing)),
              distinct: toMs(each.uniqueCount),
              rows,
              min: text(each.min),
              max: text(each.max),
              atMs: measuredMs,
            },
          ],
        ];
      }),
    );
  }, [values, atMs]);
}

/** How many columns are made from each column, in one step, by its path; `undefined` while nothing is known about it. */
export function useColumnFeeds(): ReadonlyMap<string, number> | undefined {
  const { urn, atMs } = useEntityView();
  const { data } = useCall('GET /lineage/:urn', {
    urn: `${urn}.json`,
    direction: 'DOWNSTREAM',
    maxHops: 1,
    columns: true,
    ...(atMs === undefined ? {} : { asOf: atMs }),
  });
  return useMemo(() => {
    if (data === undefined || !('edges' in data)) return undefined;
    const feeds = new Map<string, number>();
    for (const { from, fromColumn } of data.edges) {
      const path = from === urn && fromColumn !== undefined ? splitUrn(fromColumn).key.at(-1) : undefined;
      if (path !== undefined) feeds.set(path, (feeds.get(path) ?? 0) + 1);
    }
    return feeds;
  }, [data, urn]);
}
