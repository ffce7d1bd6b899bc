import type { ActionParameters } from '@stratalog/http';
import {
  didYouMean,
  isJsonObject,
  type FieldOrder,
  type JsonValue,
  type SearchRequest,
} from '@stratalog/model';
import type { EntityType } from '@stratalog/registry';
import type { Refuse } from './read-criteria';
import { searchFilterOf } from './search-filter-of';
import { searchedFieldOf } from './searched-field';

/** What a search is narrowed to and ordered by besides its words. */
export type Narrowing = Pick<SearchRequest, 'filter' | 'includesRemoved' | 'order'>;

const MAX_ORDERS = 8;
const ORDERS = ['ASCENDING', 'DESCENDING'] as const;

/**
 * Reads `filter`, `sort`, `sortCriteria` and of `searchFlags` what concerns hidden entities.
 *
 * **Errors**: `InvalidRequestError`, naming the member that is wrong.
 *
 * **Source**: entity and aspect behaviour, section 2.3; operations and search behaviour, sections 3.7 and 3.8.
 */
export function narrowingOf(parameters: ActionParameters, types: readonly EntityType[]): Narrowing {
  const refuse: Refuse = (path, reason) => parameters.refuse(path, reason);
  const { filter, namesRemoved } = searchFilterOf(types, parameters.optionalObject('filter'), refuse);
  const order = orderOf(parameters, types, refuse);
  const isFlagged = includesRemoved(parameters, refuse);
  return {
    ...(filter === undefined ? {} : { filter }),
    ...(namesRemoved || isFlagged ? { includesRemoved: true } : {}),
    ...(order.length === 0 ? {} : { order }),
  };
}

function includesRemoved(parameters: ActionParameters, refuse: Refuse): boolean {
  const flag = parameters.optionalObject('searchFlags')?.includeSoftDeleted ?? false;
  if (flag === true || flag === 'true') return true;
  return flag === false || flag === 'false'
    ? false
    : refuse('searchFlags/includeSoftDeleted', 'is not true or false');
}

/** Several count before a single one. */
function orderOf(
  parameters: ActionParameters,
  types: readonly EntityType[],
  refuse: Refuse,
): readonly FieldOrder[] {
  const several = parameters.optionalList('sortCriteria') ?? [];
  const single = parameters.optionalObject('sort');
  if (several.length > MAX_ORDERS) refuse('sortCriteria', `has more than ${String(MAX_ORDERS)} fields`);
  if (several.length > 0) {
    return several.map((each, at) => orderAt(each, `sortCriteria/${String(at)}`, types, refuse));
  }
  return single === undefined ? [] : [orderAt(single, 'sort', types, refuse)];
}

function orderAt(sent: JsonValue, path: string, types: readonly EntityType[], refuse: Refuse): FieldOrder {
  if (!isJsonObject(sent)) return refuse(path, 'is not an object');
  const { field } = sent;
  if (typeof field !== 'string' || field === '') return refuse(`${path}/field`, 'is required');
  const order = orderIn(sent.order ?? 'ASCENDING', `${path}/order`, refuse);
  const found = searchedFieldOf(types, field);
  if ('fault' in found) return refuse(`${path}/field`, found.fault);
  // Of fields that share an alias the one that is called so counts.
  const own = found.names.filter((name) => name === field);
  const [name = '', other] = own.length > 0 ? own : found.names;
  if (other !== undefined) {
    return refuse(
      `${path}/field`,
      `${field.slice(0, 100)} means ${found.names.join(' or ')}; name one of them`,
    );
  }
  return { field: name, isDescending: order === 'DESCENDING' };
}

/** Whether the lowest or the highest comes first. **Errors**: what `refuse` throws for any other word. */
export function orderIn(sent: JsonValue, path: string, refuse: Refuse): (typeof ORDERS)[number] {
  const order = ORDERS.find((each) => each === sent);
  if (order !== undefined) return order;
  const near = typeof sent === 'string' ? didYouMean(sent, ORDERS) : '';
  return refuse(path, `is not one of ${ORDERS.join(', ')}${near}`);
}
