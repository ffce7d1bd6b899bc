import { ENTITY_TYPE_FIELD, InvalidRequestError, type UnknownNames } from '@stratalog/domain';
import type { EntityType } from '@stratalog/registry';
import { MAX_CRITERIA, type Condition, type Criteria, type Criterion } from '../../filters/read-criteria';
import { resolveFilteredField } from '../../filters/searched-field';
import type { EntityTypeNames } from '../entity-type-names';
import type { SentCriterion, SentSearch } from './sent-search';

/**
 * Reads the filters of a search; `filters` must hold together with one list of `orFilters`.
 *
 * **Errors**: `InvalidRequestError` for too many criteria.
 */
export function toCriteria(
  { filters, orFilters }: Pick<SentSearch, 'filters' | 'orFilters'>,
  names: EntityTypeNames,
): Criteria {
  const all = (filters ?? []).map(toCriterion(names, 'filters'));
  const lists = (orFilters ?? []).map(({ and }, at) =>
    (and ?? []).map(toCriterion(names, `orFilters/${String(at)}/and`)),
  );
  return joinLists(all.length === 0 ? [] : [all], lists);
}

/** Joins two filters, of which both must hold. **Errors**: those of {@link toCriteria}. */
export function joinLists(first: Criteria, second: Criteria): Criteria {
  // Each by itself first: the product of two long ones would not fit into memory.
  rejectMany(first);
  rejectMany(second);
  const joined =
    first.length === 0 || second.length === 0
      ? [...first, ...second]
      : first.flatMap((list) => second.map((other) => [...list, ...other]));
  rejectMany(joined);
  return joined;
}

function rejectMany(criteria: Criteria): void {
  const count = criteria.reduce((sum, list) => sum + Math.max(1, list.length), 0);
  if (count <= MAX_CRITERIA) return;
  throw new InvalidRequestError(`The filters have more than ${String(MAX_CRITERIA)} criteria`);
}

function toCriterion(names: EntityTypeNames, place: string): (sent: SentCriterion, at: number) => Criterion {
  return ({ field, values, negated, condition }, at) =>
    withTypeNames(
      {
        field,
        condition: (condition ?? 'EQUAL') as Condition,
        negated: negated ?? false,
        wanted:
          values === undefined || values === null || values.length === 0
            ? undefined
            : { texts: values, isSingle: false },
        path: `${place}/${String(at)}`,
      },
      names,
    );
}

/** Names entity types in a criterion as the model does. */
export function withTypeNames(criterion: Criterion, names: EntityTypeNames): Criterion {
  const { field, wanted } = criterion;
  if (wanted === undefined || !field.startsWith(ENTITY_TYPE_FIELD)) return criterion;
  const texts = wanted.texts.map((value) => names.find(value)?.name ?? value);
  return { ...criterion, wanted: { ...wanted, texts } };
}

/**
 * Takes the criteria on fields that none of the types has out of a filter, and reports them: they match nothing, and negated everything.
 *
 * Returns `none` when no list can hold.
 */
export function dropUnknownFields(
  lists: Criteria,
  types: readonly EntityType[],
  unknown: Pick<UnknownNames, 'reportSentence' | 'settle'>,
): Criteria | 'none' {
  const isKnown = ({ field }: Criterion): boolean => {
    const resolved = resolveFilteredField(types, field);
    return !('fault' in resolved) || resolved.isAbsent !== true;
  };
  for (const field of new Set(lists.flat().flatMap((each) => (isKnown(each) ? [] : [each.field])))) {
    unknown.reportSentence(
      `${field.slice(0, 100)} is a field of none of the searched types; it matches nothing`,
    );
  }
  unknown.settle();
  const possible = lists
    .filter((list) => list.every((each) => each.negated || isKnown(each)))
    .map((list) => list.filter(isKnown));
  return possible.length === 0 && lists.length > 0 ? 'none' : possible;
}
