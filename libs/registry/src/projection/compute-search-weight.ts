import { stringifyJson, type ParsedJson, type Steps } from '@stratalog/json';
import { visitPlace } from '../annotations/place';
import type { AspectType } from '../model/entity-registry';
import { MODIFIERS, type SearchScore } from '../annotations/search-score';

/** Bounds of a weight: no weight hides an entity or ranks it above everything else. */
const MIN_WEIGHT = 0.001;
const MAX_WEIGHT = 1_000;

/**
 * Computes the factor of an aspect on its entity's rank: the weights of its values, and for each score the weighted
 * mean of 1 and the modified number. Without a value, scores use their defaults.
 */
export function* computeSearchWeight(aspect: AspectType, parsed: ParsedJson | undefined): Steps<number> {
  let weight = 1;
  for (const { steps, weights } of aspect.searchFields) {
    if (weights.size === 0 || parsed === undefined) continue;
    const seen = new Set<string>();
    yield* visitPlace(parsed, steps, (inner) => {
      seen.add(typeof inner === 'string' ? inner : stringifyJson(inner));
    });
    for (const text of seen) weight *= weights.get(text) ?? 1;
  }
  for (const score of aspect.searchScores) {
    const own = score.weight * MODIFIERS[score.modifier](yield* readNumber(score, parsed));
    weight *= (1 + own) / (1 + score.weight);
  }
  return boundWeight(weight);
}

/** Limits a weight to the bounds of documents. */
export function boundWeight(weight: number): number {
  if (Number.isNaN(weight)) return 1;
  return Math.min(MAX_WEIGHT, Math.max(MIN_WEIGHT, weight));
}

function* readNumber({ steps, defaultValue }: SearchScore, parsed: ParsedJson | undefined): Steps<number> {
  let number = defaultValue;
  if (parsed === undefined) return number;
  yield* visitPlace(parsed, steps, (inner) => {
    number = Number(inner);
  });
  return number;
}
