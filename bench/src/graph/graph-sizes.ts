import type { BenchOptions } from '../bench-options';
import type { LineageSizes } from '../workload/lineage-generator';

/** The amounts of a graph bench. */
export interface GraphSizes extends LineageSizes {
  readonly requests: number;
  /** Requests of the walks that reach thousands. */
  readonly longRequests: number;
}

const FULL: GraphSizes = {
  edges: 100_000,
  trees: 20,
  layers: 10,
  layerWidth: 1_000,
  hubEdges: 50_000,
  requests: 1_000,
  longRequests: 40,
};

/** Enough to run every case; its figures mean nothing. */
const QUICK: GraphSizes = {
  edges: 300,
  trees: 1,
  layers: 10,
  layerWidth: 10,
  hubEdges: 300,
  requests: 8,
  longRequests: 4,
};

/** The sizes of a run: quick, or full with that many edges. */
export function chooseGraphSizes({ quick, edges }: Pick<BenchOptions, 'quick' | 'edges'>): GraphSizes {
  if (quick) return QUICK;
  return edges === undefined ? FULL : { ...FULL, edges };
}
