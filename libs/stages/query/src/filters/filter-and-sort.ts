import type { ActionParameters } from '@stratalog/http';
import {
  didYouMean,
  isJsonObject,
  type FieldOrder,
  type JsonValue,
  type SearchRequest,
} from '@stratalog/model';
import type { EntityType } from '@stratalog/registry';
import type { Reject } from './read-criteria';
import { parseSearchFilter } from './parse-search-filter';
import { resolveSearchedField } from './searched-field';

/** Filter and order of a search. */
export type FilterAndSort = Pick<SearchRequest, 'filter' | 'includesSoftDeleted' | 'order'>;

const MAX_ORDERS = 8;
const ORDERS = ['ASCENDING', 'DESCENDING'] as const;

/**
 * Parses `filter`, `sort`, `sortCriteria` and the `includeSoftDeleted` member of `searchFlags`.
 *
 * **Errors**: `InvalidRequestError` that names the faulty member.
 *
 * **Source**: `docs/wire-decisions.md`, Searching.
 */
export function parseFilterAndSort(
  parameters: ActionParameters,
  types: readonly EntityType[],
): FilterAndSort {
  const reject: Reject = (path, reason) => parameters.reject(path, reason);
  const { filter, namesSoftDeleted } = parseSearchFilter(types, parameters.optionalObject('filter'), reject);
  const order = parseOrders(parameters, types, reject);
  const isFlagged = includesSoftDeleted(parameters, reject);
  return {
    ...(filter === undefined ? {} : { filter }),
    ...(namesSoftDeleted || isFlagged ? { includesSoftDeleted: true } : {}),
    ...(order.length === 0 ? {} : { order }),
  };
}

function includesSoftDeleted(parameters: ActionParameters, reject: Reject): boolean {
  const flag = parameters.optionalObject('searchFlags')?.includeSoftDeleted ?? false;
  if (flag === true || flag === 'true') return true;
  return flag === false || flag === 'false'
    ? false
    : reject('searchFlags/includeSoftDeleted', 'is not true or false');
}

/** `sortCriteria` takes precedence over `sort`. */
function parseOrders(
  parameters: ActionParameters,
  types: readonly EntityType[],
  reject: Reject,
): readonly FieldOrder[] {
  const several = parameters.optionalList('sortCriteria') ?? [];
  const single = parameters.optionalObject('sort');
  if (several.length > MAX_ORDERS) reject('sortCriteria', `has more than ${String(MAX_ORDERS)} fields`);
  if (several.length > 0) {
    return several.map((each, at) => parseOrder(each, `sortCriteria/${String(at)}`, types, reject));
  }
  return single === undefined ? [] : [parseOrder(single, 'sort', types, reject)];
}

function parseOrder(sent: JsonValue, path: string, types: readonly EntityType[], reject: Reject): FieldOrder {
  if (!isJsonObject(sent)) return reject(path, 'is not an object');
  const { field } = sent;
  if (typeof field !== 'string' || field === '') return reject(`${path}/field`, 'is required');
  const order = parseDirection(sent.order ?? 'ASCENDING', `${path}/order`, reject);
  const resolved = resolveSearchedField(types, field);
  if ('fault' in resolved) return reject(`${path}/field`, resolved.fault);
  // Among fields that share an alias, the field with that name wins.
  const own = resolved.names.filter((name) => name === field);
  const [name = '', other] = own.length > 0 ? own : resolved.names;
  if (other !== undefined) {
    return reject(
      `${path}/field`,
      `${field.slice(0, 100)} means ${resolved.names.join(' or ')}; name one of them`,
    );
  }
  return { field: name, isDescending: order === 'DESCENDING' };
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
