import { isJsonObject, parseJson, type JsonObject } from '@stratalog/json';
import { useMemo } from 'react';
import { useCall } from '../../data/use-call';

interface Asked {
  readonly urn: string;
  readonly type: string;
  readonly aspect: string;
  readonly limit: number;
}

/** The newest values of a timeseries aspect, the newest first. */
export function useTimeseries({ urn, type, aspect, limit }: Asked) {
  const query = useCall('POST /aspects?action=getTimeseriesAspectValues', {
    urn,
    entity: type,
    aspect,
    limit,
  });
  const { data } = query;
  const values = useMemo(
    () =>
      data?.values.flatMap((each): readonly JsonObject[] => {
        const value = parseJson(each.aspect.value);
        return isJsonObject(value) ? [value] : [];
      }),
    [data],
  );
  return { query, values };
}
