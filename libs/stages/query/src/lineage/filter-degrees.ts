import { rejectIn, type Criteria, type Criterion, type Reject } from '../filters/read-criteria';

/** The filter field, and the facet, for the distance of a match. */
export const DEGREE = 'degree';
/** The values of the field: the last stands for all greater degrees too. */
export const DEGREES = ['1', '2', '3+'] as const;
export type DegreeValue = (typeof DEGREES)[number];

export interface DegreeFilter {
  /** The filter without the criteria on degrees. */
  readonly filter: Criteria;
  /** The selected degrees; absent: all. */
  readonly degrees?: readonly DegreeValue[];
}

/** Returns the value of the field for a number of hops. */
export function toDegreeValue(degree: number): DegreeValue {
  return DEGREES[Math.min(degree, DEGREES.length) - 1] ?? '3+';
}

/**
 * Takes the criteria on degrees out of a filter, because the search index does not know degrees. The lists must agree on
 * them.
 *
 * **Errors**: those of `reject` for a criterion that does not select degrees, and for lists that do not agree.
 */
export function takeDegrees(filter: Criteria, reject: Reject): DegreeFilter {
  const found = filter.map((list) => splitList(list, reject));
  const named = found.map(({ degrees }) => degrees?.toSorted().join(','));
  if (named.every((each) => each === undefined)) return { filter };
  if (new Set(named).size > 1) {
    return reject(
      'filter',
      `selects different values of ${DEGREE} in its lists; all lists must select the same`,
    );
  }
  return { filter: found.map(({ and }) => and), degrees: found[0]?.degrees ?? [] };
}

interface SplitList {
  readonly and: readonly Criterion[];
  readonly degrees?: readonly DegreeValue[];
}

function splitList(and: readonly Criterion[], reject: Reject): SplitList {
  const own = and.filter(isDegree).map((each) => parseDegrees(each, rejectIn(each, reject)));
  if (own.length === 0) return { and };
  const degrees = DEGREES.filter((value) => own.every((values) => values.includes(value)));
  return { and: and.filter((each) => !isDegree(each)), degrees };
}

function isDegree({ field }: Criterion): boolean {
  return field === DEGREE || field === `${DEGREE}.keyword`;
}

function parseDegrees({ condition, wanted, negated }: Criterion, reject: Reject): readonly DegreeValue[] {
  if (condition !== 'EQUAL' && condition !== 'IN') return reject('condition', 'is not EQUAL or IN');
  if (negated) return reject('negated', `is not possible with ${DEGREE}`);
  const { texts } = wanted ?? { texts: [''] };
  return texts.map((text) => {
    const known = DEGREES.find((each) => each === text);
    return known ?? reject('values', `has a value that is none of ${DEGREES.join(', ')}`);
  });
}
