import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { callOptions, useCall } from '../../data/use-call';
import { foldSmall } from './graph/fold';
import {
  NO_LINEAGE,
  addComparison,
  addPicture,
  type LineageGraph,
  type Picture,
} from './graph/lineage-graph';
import { hopsOfColumn } from './graph/hops-of-column';
import { placeNodes, type Places } from './graph/place-nodes';
import { columnUrn, traceColumn, type Trace } from './graph/trace-column';
import { directionOf, type LineageAddress } from './lineage-address';

/** The nearest ones come first; more are opened one by one. */
const MAX_NODES = 60;

export interface ShownLineage {
  readonly graph: LineageGraph;
  /** The same with every neighbour by itself. */
  readonly unfolded: LineageGraph;
  readonly places: Places;
  readonly trace: Trace;
  readonly start: Picture;
}

/** The lineage of the address: its picture, what is opened in it, and what changed since another time. */
export function useLineage(address: LineageAddress) {
  const { urn, column, opened, unfolded, hasJobsAsNodes } = address;
  const picture = useCall(
    'GET /lineage/:urn',
    { ...parametersOf(address, urn), maxHops: address.hops, maxNodes: MAX_NODES },
    { keepsFormer: true },
  );
  const others = useQueries({
    queries: opened.map((each) =>
      callOptions('GET /lineage/:urn', { ...parametersOf(address, each), maxHops: 1 }),
    ),
    combine: (results) => results.map(({ data }) => toPicture(data)),
  });
  const comparison = useComparison(address);
  const start = toPicture(picture.data);
  const shown = useMemo(
    () => {
      // The answer from before stays while another one comes, but never that of another entity.
      if (start?.urn !== urn) return undefined;
      const hasTiles = !hasJobsAsNodes;
      const selected = column === undefined ? undefined : columnUrn(urn, column);
      let graph = addPicture(NO_LINEAGE, { urn, picture: start }, hasTiles);
      graph = hopsOfColumn(graph, selected);
      if (comparison.data !== undefined) graph = addComparison(graph, comparison.data);
      let places = placeNodes(foldSmall(graph, []), new Map());
      if (unfolded.length > 0) places = placeNodes(foldSmall(graph, unfolded), places);
      for (const [at, each] of opened.entries()) {
        const other = others[at];
        // One after another, so that a place never depends on which answer was faster.
        if (other === undefined) break;
        graph = addPicture(graph, { urn: each, picture: other }, hasTiles);
        places = placeNodes(foldSmall(graph, unfolded), places);
      }
      const folded = foldSmall(graph, unfolded);
      const trace = traceColumn(folded.edges, selected);
      return { graph: folded, unfolded: graph, places, trace, start } satisfies ShownLineage;
    },
    // The lists of the address are new with each reading.
    [start, urn, column, hasJobsAsNodes, comparison.data, others, JSON.stringify([opened, unfolded])],
  );
  return { data: shown, error: picture.error, refetch: picture.refetch, comparison };
}

function parametersOf({ view, direction, atMs }: LineageAddress, urn: string) {
  return {
    urn: `${urn}.json`,
    ...directionOf(direction),
    columns: view !== 'tables',
    ...(atMs === undefined ? {} : { asOf: atMs }),
  };
}

function toPicture(answer: unknown): Picture | undefined {
  return typeof answer === 'object' && answer !== null && 'nodes' in answer ? (answer as Picture) : undefined;
}

/** What came and went between the two times of the address. */
function useComparison({ urn, direction, hops, view, atMs, fromMs }: LineageAddress) {
  const wanted = {
    urn,
    ...directionOf(direction),
    maxHops: hops,
    columns: view !== 'tables',
    count: 1_000,
    ...(fromMs === undefined ? {} : { from: fromMs }),
    ...(atMs === undefined ? {} : { to: atMs }),
  };
  return useCall('GET /lineage/:urn/diff', wanted, { isWanted: fromMs !== undefined });
}
