import type { Edge, EntityEdges, Steps } from '@stratalog/model';
import { urnKey } from './graph-tables';

/** An edge with the keys under which it is stored. */
export interface KeyedEdge extends Edge {
  readonly seq: number;
  readonly aspectName: string;
  readonly sourceKey: string;
  readonly destinationKey: string;
}

/** The edges of some entities whose destination keys lie in one range, both ends included. */
export interface EdgePortion {
  readonly fromKey: string;
  readonly toKey: string;
  readonly edges: readonly KeyedEdge[];
}

/** Maximum number of edges per portion. The process writes the parameters of one such statement in about 10 ms. */
const PORTION_EDGES = 2_000;
/** Maximum number of portions. Each portion reads all stored keys of an entity once. */
const MAX_PORTIONS = 128;
/** Number of hexadecimal digits that assign a key to a portion. Keys are hashes, so a prefix divides them evenly. */
const PREFIX_DIGITS = 4;
const PREFIXES = 16 ** PREFIX_DIGITS;
const KEY_DIGITS = 32;

/**
 * Divides the edges of `entries` into portions that one statement each writes; at least one portion.
 *
 * The key ranges of the portions cover all keys, so that obsolete stored edges are found portion by portion.
 */
export function* edgePortions(entries: readonly EntityEdges[]): Steps<readonly EdgePortion[]> {
  const total = entries.reduce((sum, entry) => sum + edgeCount(entry), 0);
  const count = Math.max(1, Math.min(MAX_PORTIONS, Math.ceil(total / PORTION_EDGES)));
  const portions = Array.from({ length: count }, (): KeyedEdge[] => []);
  for (const { urn, seq, sets } of entries) {
    const sourceKey = urnKey(urn);
    for (const { aspectName, edges } of sets) {
      for (const edge of edges) {
        const destinationKey = urnKey(edge.destination);
        const prefix = parseInt(destinationKey.slice(0, PREFIX_DIGITS), 16);
        const portion = portions[Math.floor((prefix * count) / PREFIXES)];
        portion?.push({ ...edge, seq, aspectName, sourceKey, destinationKey });
        yield;
      }
    }
  }
  return portions.map((edges, at) => ({
    edges,
    fromKey: buildKey(firstPrefix(at, count), '0'),
    toKey: buildKey(firstPrefix(at + 1, count) - 1, 'f'),
  }));
}

export function edgeCount({ sets }: EntityEdges): number {
  return sets.reduce((sum, { edges }) => sum + edges.length, 0);
}

function firstPrefix(at: number, count: number): number {
  return Math.ceil((at * PREFIXES) / count);
}

function buildKey(prefix: number, digit: string): string {
  return prefix.toString(16).padStart(PREFIX_DIGITS, '0').padEnd(KEY_DIGITS, digit);
}
