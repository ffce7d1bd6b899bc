import type { Proposal } from '@stratalog/domain';

/** The amounts of generated lineage. */
export interface LineageSizes {
  /** Edges in addition to those that are followed: the size of the graph around a walk. */
  readonly edges: number;
  /** Trees of three layers. */
  readonly trees: number;
  /** Layers below the root of the layered graph, and the entities of each. */
  readonly layers: number;
  readonly layerWidth: number;
  /** Entities that are made from the hub. */
  readonly hubEdges: number;
}

/** Entities below the root of a tree: 10, 100 and 1,000 in its three layers. */
export const FAN_OUT = 10;
const TREE_LAYERS = 3;
export const TREE_SIZE = 1_110;
/** Upstreams of an entity of the other edges. */
const OTHER_UPSTREAMS = 10;
/** A prime, so that the other edges join entities from everywhere. */
const STRIDE = 7_919;

/** An entity with the entities that it is made from. */
export interface MadeFrom {
  readonly urn: string;
  readonly upstreams: readonly string[];
}

export const ROOTS = {
  tree: (tree: number): string => toUrn(`tree_${String(tree)}`),
  layered: toUrn('layered'),
  hub: toUrn('hub'),
  unknown: (at: number): string => toUrn(`unknown_${String(at)}`),
} as const;

function toUrn(name: string): string {
  return `urn:li:dataset:(urn:li:dataPlatform:bigquery,warehouse.lineage.${name},PROD)`;
}

/** Generates the whole graph: trees, a layered graph, a hub, and other edges around them. */
export function* generateLineage(sizes: LineageSizes): Generator<MadeFrom> {
  for (let tree = 0; tree < sizes.trees; tree++) yield* generateTree(tree);
  yield* generateLayers(sizes);
  for (let at = 0; at < sizes.hubEdges; at++) {
    yield { urn: toUrn(`hub_${String(at)}`), upstreams: [ROOTS.hub] };
  }
  const others = Math.max(1, Math.floor(sizes.edges / OTHER_UPSTREAMS));
  for (let at = 0; at < others; at++) {
    const upstreams = Array.from({ length: OTHER_UPSTREAMS }, (_, each) =>
      toUrn(`other_${String((at * STRIDE + each * 31 + 1) % others)}`),
    );
    yield { urn: toUrn(`other_${String(at)}`), upstreams: [...new Set(upstreams)] };
  }
}

function* generateTree(tree: number): Generator<MadeFrom> {
  let layer = [`tree_${String(tree)}`];
  for (let depth = 0; depth < TREE_LAYERS; depth++) {
    const next: string[] = [];
    for (const parent of layer) {
      for (let child = 0; child < FAN_OUT; child++) {
        const name = `${parent}_${String(child)}`;
        next.push(name);
        yield { urn: toUrn(name), upstreams: [toUrn(parent)] };
      }
    }
    layer = next;
  }
}

function* generateLayers({ layers, layerWidth }: LineageSizes): Generator<MadeFrom> {
  for (let layer = 0; layer < layers; layer++) {
    for (let at = 0; at < layerWidth; at++) {
      const upstream = layer === 0 ? ROOTS.layered : toUrn(`layer_${String(layer - 1)}_${String(at)}`);
      yield { urn: toUrn(`layer_${String(layer)}_${String(at)}`), upstreams: [upstream] };
    }
  }
}

/** Makes the proposals that write the graph. */
export function* lineageProposals(sizes: LineageSizes): Generator<Proposal> {
  for (const { urn, upstreams } of generateLineage(sizes)) {
    const value = { upstreams: upstreams.map((dataset) => ({ dataset, type: 'TRANSFORMED' })) };
    yield {
      entityType: 'dataset',
      urn,
      aspectName: 'upstreamLineage',
      changeType: 'UPSERT',
      value: JSON.stringify(value),
      systemMetadata: { lastObserved: 1_700_000_000_000, runId: 'bench' },
      actor: 'urn:li:corpuser:bench',
    };
  }
}
