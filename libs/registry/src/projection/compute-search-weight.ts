import { stringifyJson, type ParsedJson, type Steps } from '@stratalog/model';
import { visitPlace } from '../annotations/place';
import type { AspectType } from '../model/entity-registry';
import { MODIFIERS, type SearchScore } from '../annotations/search-score';

/** No weight takes an entity out of reach or puts it above everything else. */
const MIN_WEIGHT = 0.001;
const MAX_WEIGHT = 1_000;

/**
 * The factor by which an aspect changes the rank of its entity: the weights of its values, and for each score the mean of 1 and
 * the modified number, weighted. Scores count with their defaults when there is no value at all.
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
    const own = score.weight * MODIFIERS[score.modifier](yield* numberAt(score, parsed));
    weight *= (1 + own) / (1 + score.weight);
  }
  return boundedWeight(weight);
}

/** A weight as documents may carry it. */
export function boundedWeight(weight: number): number {
  if (Number.isNaN(weight)) return 1;
  return Math.min(MAX_WEIGHT, Math.max(MIN_WEIGHT, weight));
}

function* numberAt({ steps, defaultValue }: SearchScore, parsed: ParsedJson | undefined): Steps<number> {
  let number = defaultValue;
  if (parsed === undefined) return number;
  yield* visitPlace(parsed, steps, (inner) => {
    number = Number(inner);
  });
  return number;
}
