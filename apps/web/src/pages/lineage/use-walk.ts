import { useCall } from '../../data/use-call';
import { columnUrn } from './graph/trace-column';
import type { LineageAddress } from './lineage-address';

const MOST = 100;

/** Everything that lineage leads to in one direction, the nearest first; of the selected column where there is one. */
export function useWalk({ urn, column, atMs, direction }: LineageAddress, to: 'UPSTREAM' | 'DOWNSTREAM') {
  const isWanted = direction === 'both' || (direction === 'up') === (to === 'UPSTREAM');
  return useCall(
    'POST /relationships?action=getLineage',
    {
      urn: column === undefined ? urn : columnUrn(urn, column),
      direction: to,
      maxHops: 1_000,
      count: MOST,
      ...(atMs === undefined ? {} : { asOf: atMs }),
    },
    { isWanted },
  );
}
