import { parseInSteps, type Steps } from '@stratalog/json';
import { formatPlace, visitPlace } from '../annotations/place';
import type { AspectType } from '../model/entity-registry';

/** A urn in a value, and its path there: `/entityTypes/0`. */
export interface ExpectedUrn {
  readonly path: string;
  readonly urn: string;
}

/** Lists the urns of a canonical value whose entities the model expects to exist. */
export function* listExpectedUrns(
  { expectedUrns }: Pick<AspectType, 'expectedUrns'>,
  value: string,
): Steps<readonly ExpectedUrn[]> {
  const found: ExpectedUrn[] = [];
  if (expectedUrns.length === 0) return found;
  const parsed = yield* parseInSteps(value);
  for (const place of expectedUrns) {
    yield* visitPlace(parsed, place.steps, (urn, trail) => {
      if (typeof urn === 'string') found.push({ path: formatPlace(place.steps, trail), urn });
    });
  }
  return found;
}
