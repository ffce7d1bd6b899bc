import type { Edge, EntityEdges } from '@stratalog/domain';
import type { Steps } from '@stratalog/json';
import { urnKey } from './graph-tables';
import { storedEnd } from './long-urns';

/** An edge with its ends as they are stored, and their keys. */
export interface KeyedEdge extends Edge {
  readonly seq: number;
  readonly aspectName: string;
  readonly sourceKey: string;
  readonly destinationKey: string;
  /** The entity whose aspect declares the edge. */
  readonly owner: string;
  readonly ownerKey: string;
}

/** The edges of some entities whose destination keys have their digits 16 to 19 in one range, both ends included. */
export interface EdgePortion {
  readonly fromDigits: string;
  readonly toDigits: string;
  readonly edges: readonly KeyedEdge[];
}

/** Maximum number of edges per portion. The process writes the parameters of one such statement in about 10 ms. */
const PORTION_EDGES = 2_000;
/** Maximum number of portions. Each portion reads all stored keys of an entity once. */
const MAX_PORTIONS = 128;
/**
 * The hexadecimal digits that assign a key to a portion. Keys are hashes, so these digits divide them evenly; the first
 * ones would not, because the columns of an entity share them.
 */
const FIRST_DIGIT = 16;
const DIGITS = 4;
const DIGIT_VALUES = 16 ** DIGITS;

/**
 * Divides the edges of `entries` into portions that one statement each writes; at least one portion.
 *
 * The ranges of the portions cover all keys, so that obsolete stored edges are found portion by portion.
 */
export function* edgePortions(entries: readonly EntityEdges[]): Steps<readonly EdgePortion[]> {
  const total = entries.reduce((sum, entry) => sum + edgeCount(entry), 0);
  const count = Math.max(1, Math.min(MAX_PORTIONS, Math.ceil(total / PORTION_EDGES)));
  const portions = Array.from({ length: count }, (): KeyedEdge[] => []);
  for (const { urn, seq, sets } of entries) {
    const ownerKey = urnKey(urn);
    for (const { aspectName, edges } of sets) {
      for (const edge of edges) {
        const destinationKey = urnKey(edge.destination);
        const sourceKey = edge.source === urn ? ownerKey : urnKey(edge.source);
        const digits = parseInt(destinationKey.slice(FIRST_DIGIT, FIRST_DIGIT + DIGITS), 16);
        const portion = portions[Math.floor((digits * count) / DIGIT_VALUES)];
        portion?.push({
          ...edge,
          source: storedEnd(edge.source),
          destination: storedEnd(edge.destination),
          seq,
          aspectName,
          sourceKey,
          destinationKey,
          owner: urn,
          ownerKey,
        });
        yield;
      }
    }
  }
  return portions.map((edges, at) => ({
    edges,
    fromDigits: toDigits(firstValue(at, count)),
    toDigits: toDigits(firstValue(at + 1, count) - 1),
  }));
}

export function edgeCount({ sets }: EntityEdges): number {
  return sets.reduce((sum, { edges }) => sum + edges.length, 0);
}

function firstValue(at: number, count: number): number {
  return Math.ceil((at * DIGIT_VALUES) / count);
}

function toDigits(value: number): string {
  return value.toString(16).padStart(DIGITS, '0');
}
