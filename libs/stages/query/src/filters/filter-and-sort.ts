import { converted, elements, members, withValue } from '@stratalog/http';
import { ENTITY_NAME_FIELD, didYouMean, type FieldOrder, type SearchRequest } from '@stratalog/domain';
import type { EntityType } from '@stratalog/registry';
import type * as z from 'zod';
import { fieldName, filter, type Reject } from './read-criteria';
import { parseSearchFilter, type ParsedFilter } from './parse-search-filter';
import { resolveSearchedField } from './searched-field';

/** Filter and order of a search. */
export interface FilterAndSort extends Pick<SearchRequest, 'filter' | 'includesSoftDeleted' | 'order'> {
  /** The values that the filter selects by equality, as texts by field. */
  readonly selected: ParsedFilter['selected'];
}

const MAX_ORDERS = 8;
const ORDERS = ['ASCENDING', 'DESCENDING'] as const;
type Direction = (typeof ORDERS)[number];

const SEARCHABLE = 'Name of a searchable field, or `urn`.';

/** The members of an order by one field. `named` documents the field. */
function orderMembers(fallback: Direction, named: string) {
  const direction = converted<Direction>(
    { type: 'string', enum: ORDERS },
    {
      convert: (sent) => ORDERS.find((each) => each === sent),
      fault: (sent) => {
        const near = typeof sent === 'string' ? didYouMean(sent, ORDERS) : '';
        return { reason: `is not one of ${ORDERS.join(', ')}${near}` };
      },
    },
  );
  return { field: fieldName.describe(named), order: direction.default(fallback) };
}

/** A parameter for the order by one field. */
export function order(fallback: Direction, named: string) {
  return members(orderMembers(fallback, named), { wording: withValue });
}

/** Parameters for the order of a search. */
export const sorting = {
  sort: order('ASCENDING', SEARCHABLE)
    .optional()
    .describe('Orders by a field, then by urn. Entities without a value come last.'),
  sortCriteria: elements(members(orderMembers('ASCENDING', SEARCHABLE)), {
    wording: withValue,
    most: { count: MAX_ORDERS, of: 'fields' },
  })
    .optional()
    .describe('Several fields, instead of `sort`.'),
};

/** Parameters for the filter and the order of a search. */
export const filterAndSort = { filter: filter.optional(), ...sorting };

type SentFilterAndSort = z.output<z.ZodObject<typeof filterAndSort>>;

/**
 * Parses `filter`, `sort` and `sortCriteria`.
 *
 * **Errors**: `InvalidRequestError` that names the faulty member.
 *
 * **Source**: `docs/wire-decisions.md`, Searching.
 */
export function parseFilterAndSort(
  sent: SentFilterAndSort,
  types: readonly EntityType[],
  reject: Reject,
): FilterAndSort {
  const orders = parseOrders(sent, types, reject);
  return { ...parseFilter(sent.filter, types, reject), ...(orders.length === 0 ? {} : { order: orders }) };
}

/** Parses `filter`. **Errors**: `InvalidRequestError` that names the faulty member. */
export function parseFilter(
  sent: SentFilterAndSort['filter'],
  types: readonly EntityType[],
  reject: Reject,
): Omit<FilterAndSort, 'order'> {
  const { filter: parsed, namesSoftDeleted, selected } = parseSearchFilter(types, sent ?? [], reject);
  return {
    selected,
    ...(parsed === undefined ? {} : { filter: parsed }),
    ...(namesSoftDeleted ? { includesSoftDeleted: true } : {}),
  };
}

/** `sortCriteria` takes precedence over `sort`. */
function parseOrders(
  { sortCriteria: several = [], sort: single }: SentFilterAndSort,
  types: readonly EntityType[],
  reject: Reject,
): readonly FieldOrder[] {
  if (several.length > 0) {
    return several.flatMap((each, at) => parseOrder(each, `sortCriteria/${String(at)}`, types, reject));
  }
  return single === undefined ? [] : parseOrder(single, 'sort', types, reject);
}

function parseOrder(
  { field, order }: NonNullable<SentFilterAndSort['sort']>,
  path: string,
  types: readonly EntityType[],
  reject: Reject,
): readonly FieldOrder[] {
  const resolved = resolveSearchedField(types, field);
  if ('fault' in resolved) return reject(`${path}/field`, resolved.fault);
  const isDescending = order === 'DESCENDING';
  if (resolved.numbers !== undefined) {
    return [resolved.numbers, ...resolved.names].map((each) => ({ field: each, isDescending }));
  }
  // Among fields that share an alias, the field with that name wins.
  const own = resolved.names.filter((name) => name === field);
  const [name = '', other] = own.length > 0 ? own : resolved.names;
  if (other !== undefined) {
    if (field === ENTITY_NAME_FIELD) return [{ field, isDescending }];
    return reject(
      `${path}/field`,
      `${field.slice(0, 100)} means ${resolved.names.join(' or ')}; name one of them`,
    );
  }
  return [{ field: name, isDescending }];
}
