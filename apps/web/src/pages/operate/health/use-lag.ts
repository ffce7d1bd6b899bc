import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '../../../data/catalog';

export interface Lags {
  /** **Units**: changes of the store that the index does not include; `undefined`: it tells none, as while it is built. */
  readonly search: number | undefined;
  readonly graph: number | undefined;
}

export interface LagAt extends Lags {
  readonly ms: number;
}

const KEPT_MS = 30 * 60_000;
/** Edges are counted at any urn; nobody has to have it. */
const NOBODY = 'urn:li:corpuser:nobody';

/** How far index and graph are behind, as their answers say, and how that went while the page was open. */
export function useLag(refreshMs: number | false): {
  readonly now: Lags | undefined;
  readonly past: readonly LagAt[];
} {
  const { data, dataUpdatedAt } = useQuery({
    queryKey: ['lag of the indices'],
    refetchInterval: refreshMs,
    staleTime: 0,
    queryFn: async (): Promise<Lags> => {
      const [search, graph] = await Promise.allSettled([
        call('POST /entities?action=searchAcrossEntities', { input: '*', start: 0, count: 0, facets: [] }),
        call('GET /relationships', { urn: NOBODY, direction: 'OUTGOING', types: ['OwnedBy'], count: 0 }),
      ]);
      return { search: lagOf(search), graph: lagOf(graph) };
    },
  });
  const [past, setPast] = useState<readonly LagAt[]>([]);
  useEffect(() => {
    if (data === undefined) return;
    const at = { ms: dataUpdatedAt, ...data };
    setPast((former) => [...former.filter(({ ms }) => ms > dataUpdatedAt - KEPT_MS && ms < at.ms), at]);
  }, [data, dataUpdatedAt]);
  return { now: data, past };
}

function lagOf(
  reply: PromiseSettledResult<{ readonly headers: { get(name: string): string | null } }>,
): number | undefined {
  if (reply.status === 'rejected') return undefined;
  const header = reply.value.headers.get('x-stratalog-lag');
  return header === null ? undefined : Number(header);
}
