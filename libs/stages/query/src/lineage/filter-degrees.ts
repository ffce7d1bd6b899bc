import { isJsonObject, type JsonObject, type JsonValue } from '@stratalog/json';
import type { Reject } from '../filters/read-criteria';

/** The filter field, and the facet, for the distance of a match. */
export const DEGREE = 'degree';
/** The values of the field: the last stands for all greater degrees too. */
export const DEGREES = ['1', '2', '3+'] as const;
export type DegreeValue = (typeof DEGREES)[number];

export interface DegreeFilter {
  /** The filter without the criteria on degrees. */
  readonly filter: JsonObject | undefined;
  /** The selected degrees; absent: all. */
  readonly degrees?: readonly DegreeValue[];
}

/** Returns the value of the field for a number of hops. */
export function toDegreeValue(degree: number): DegreeValue {
  return DEGREES[Math.min(degree, DEGREES.length) - 1] ?? '3+';
}

/**
 * Takes the criteria on degrees out of a filter, because the search index does not know degrees. The lists under `or`
 * must agree on them.
 *
 * **Errors**: those of `reject` for a criterion that does not select degrees, and for lists that do not agree. It leaves
 * the other faults of the filter to its parser.
 */
export function takeDegrees(filter: JsonObject | undefined, reject: Reject): DegreeFilter {
  const lists = filter?.or ?? (filter?.criteria === undefined ? undefined : [{ and: filter.criteria }]);
  if (!Array.isArray(lists)) return { filter };
  const found = lists.map((list, at) => splitList(list, `filter/or/${String(at)}/and`, reject));
  const named = found.map(({ degrees }) => degrees?.toSorted().join(','));
  if (named.every((each) => each === undefined)) return { filter };
  if (new Set(named).size > 1) {
    return reject(
      'filter',
      `selects different values of ${DEGREE} in its lists; all lists must select the same`,
    );
  }
  const degrees = found[0]?.degrees ?? [];
  return { filter: { or: found.map(({ and }) => ({ and })) }, degrees };
}

interface SplitList {
  readonly and: JsonValue;
  readonly degrees?: readonly DegreeValue[];
}

function splitList(list: JsonValue, path: string, reject: Reject): SplitList {
  const and = isJsonObject(list) ? (list.and ?? []) : list;
  if (!Array.isArray(and)) return { and };
  const own = and.flatMap((each, at) =>
    isDegree(each) ? [parseDegrees(each, `${path}/${String(at)}`, reject)] : [],
  );
  if (own.length === 0) return { and };
  const degrees = DEGREES.filter((value) => own.every((values) => values.includes(value)));
  return { and: and.filter((each) => !isDegree(each)), degrees };
}

function isDegree(criterion: JsonValue): criterion is JsonObject {
  return isJsonObject(criterion) && (criterion.field === DEGREE || criterion.field === `${DEGREE}.keyword`);
}

function parseDegrees(
  { condition = 'EQUAL', value = '', values, negated = false }: JsonObject,
  path: string,
  reject: Reject,
): readonly DegreeValue[] {
  if (condition !== 'EQUAL' && condition !== 'IN') return reject(`${path}/condition`, 'is not EQUAL or IN');
  if (negated !== false) return reject(`${path}/negated`, `is not possible with ${DEGREE}`);
  const texts = Array.isArray(values) && values.length > 0 ? values : [value];
  return texts.map((text) => {
    const known = DEGREES.find((each) => each === text || Number(each) === text);
    return known ?? reject(`${path}/values`, `has a value that is none of ${DEGREES.join(', ')}`);
  });
}
