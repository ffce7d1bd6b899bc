import { content, listOf } from '@stratalog/http';
import { ENTITY_NAME_FIELD, didYouMean, type FieldOrder, type SearchRequest } from '@stratalog/domain';
import { isJsonObject, type JsonValue } from '@stratalog/json';
import type { EntityType } from '@stratalog/registry';
import * as z from 'zod';
import { CONDITIONS, type Reject } from './read-criteria';
import { parseSearchFilter, type ParsedFilter } from './parse-search-filter';
import { resolveSearchedField } from './searched-field';

/** Filter and order of a search. */
export interface FilterAndSort extends Pick<SearchRequest, 'filter' | 'includesSoftDeleted' | 'order'> {
  /** The values that the filter selects by equality, as texts by field. */
  readonly selected: ParsedFilter['selected'];
}

const MAX_ORDERS = 8;
const ORDERS = ['ASCENDING', 'DESCENDING'] as const;

const criterion = z.object({
  field: z.string().describe('Name of a searchable field; a suffix `.keyword` is ignored.'),
  condition: z.enum(CONDITIONS).default('EQUAL'),
  value: z.string().optional().describe('Value to compare with. A blank value disables the criterion.'),
  values: z.array(z.string()).optional().describe('Several values, instead of `value`.'),
  negated: z.boolean().default(false),
});
const order = z.object({
  field: z.string().describe('Name of a searchable field, or `urn`.'),
  order: z.enum(ORDERS).default('ASCENDING'),
});
/** The shape of a filter; `readCriteria` reads its members. */
export const filter = content(
  z.object({
    or: z.array(z.object({ and: z.array(criterion).optional() })).optional(),
    criteria: z
      .array(criterion)
      .optional()
      .meta({ deprecated: true, description: 'One list that must hold; read when `or` is absent.' }),
  }),
).describe(
  'A match satisfies at least one list under `or`, and of that list every criterion under `and`. EQUAL and IN compare exactly, other conditions ignore case. Numbers and booleans compare by value.',
);

/** Parameters for the order of a search. */
export const sorting = {
  sort: content(order)
    .optional()
    .describe('Orders by a field, then by urn. Entities without a value come last.'),
  sortCriteria: listOf(order).optional().describe('Several fields, instead of `sort`.'),
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
  const { filter: parsed, namesSoftDeleted, selected } = parseSearchFilter(types, sent, reject);
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
  if (several.length > MAX_ORDERS) reject('sortCriteria', `has more than ${String(MAX_ORDERS)} fields`);
  if (several.length > 0) {
    return several.flatMap((each, at) => parseOrder(each, `sortCriteria/${String(at)}`, types, reject));
  }
  return single === undefined ? [] : parseOrder(single, 'sort', types, reject);
}

function parseOrder(
  sent: JsonValue,
  path: string,
  types: readonly EntityType[],
  reject: Reject,
): readonly FieldOrder[] {
  if (!isJsonObject(sent)) return reject(path, 'is not an object');
  const { field } = sent;
  if (typeof field !== 'string' || field === '') return reject(`${path}/field`, 'is required');
  const order = parseDirection(sent.order ?? 'ASCENDING', `${path}/order`, reject);
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

/**
 * Parses the direction of an order.
 *
 * **Errors**: those of `reject` for any other word.
 */
export function parseDirection(sent: JsonValue, path: string, reject: Reject): (typeof ORDERS)[number] {
  const order = ORDERS.find((each) => each === sent);
  if (order !== undefined) return order;
  const near = typeof sent === 'string' ? didYouMean(sent, ORDERS) : '';
  return reject(path, `is not one of ${ORDERS.join(', ')}${near}`);
}
