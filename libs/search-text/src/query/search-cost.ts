import {
  ENTITY_TYPE_FIELD,
  InvalidRequestError,
  type FacetRequest,
  type QueryNode,
  type SearchCriterion,
  type SearchRequest,
} from '@stratalog/domain';

/**
 * Largest cost of one search. **Units**: a tenth of the time that one CONTAIN adds to a search, measured on
 * PostgreSQL: over 20,000 entities on a busy machine, 10 groups with a CONTAIN took 0.9 s, 30 took 2.8 s, and 100 had taken 57 s.
 * A search at the limit takes as long as one for everything, ordered by two fields, over ten times as many entities.
 */
const MAX_SEARCH_COST = 400;

/** Cost of a criterion that compares each value of a field, entity by entity. */
const CRITERION = 10;
/** Cost of each text that is searched within the values. */
const PART = 2;
/** Cost of a criterion that an index answers. */
const INDEXED_CRITERION = 1;
/** Cost of a field that is read from each match. */
const ORDER_FIELD = 5;
/** Cost of a prefix, a phrase or an exclusion; a plain word costs too little to count. */
const QUERY_PART = 1;

type CostlyParts = Pick<SearchRequest, 'query' | 'filter' | 'order'>;

/** True when a search stays within the cost limit. */
export function isAffordable(request: CostlyParts): boolean {
  return searchCost(request).cost <= MAX_SEARCH_COST;
}

function searchCost(request: CostlyParts): Readonly<Record<'filter' | 'order' | 'input' | 'cost', number>> {
  const filter = filterCost(request.filter);
  const order = (request.order ?? []).length * ORDER_FIELD;
  const input = queryCost(request.query);
  return { filter, order, input, cost: filter + order + input };
}

/**
 * Rejects a search over the cost limit before anything runs.
 *
 * **Errors**: `InvalidRequestError` with the cost, the limit, the largest items and a remedy.
 */
export function rejectCostly(request: CostlyParts): void {
  const { filter, order, input, cost } = searchCost(request);
  if (cost <= MAX_SEARCH_COST) return;
  throw new InvalidRequestError(
    `The search would cost ${String(cost)} units, and one may cost ${String(MAX_SEARCH_COST)} (filter ${String(filter)}, order ${String(order)}, ` +
      `input ${String(input)}). A criterion costs ${String(INDEXED_CRITERION)} with EQUAL, IN or EXISTS and ${String(CRITERION)} with another condition, for each ` +
      `field that its name means, and ${String(PART)} more for each text of CONTAIN, START_WITH or END_WITH; a field of the order ${String(ORDER_FIELD)}; a prefix, ` +
      `a phrase or an excluded part of the input ${String(QUERY_PART)}. Name alternatives as the values of one criterion, or ask in several searches`,
  );
}

/**
 * Returns the facets of a search, without filters of their own when these cost too much: then every facet counts the
 * matches of the search. Each different filter is evaluated once more.
 */
export function limitFacetFilters(request: SearchRequest): readonly FacetRequest[] {
  const filters = new Map(
    request.facets.flatMap(({ filter }) => (filter === undefined ? [] : [[JSON.stringify(filter), filter]])),
  );
  const cost = [request.filter, ...filters.values()].reduce((sum, filter) => sum + filterCost(filter), 0);
  if (cost <= MAX_SEARCH_COST) return request.facets;
  return request.facets.map(({ fields, always }) => ({
    fields,
    ...(always === undefined ? {} : { always }),
  }));
}

/** Most values that the facets of one search may have; engines count at most 65,535. */
const MAX_FACET_VALUES = 50_000;
/** Values of the first field of a pair, each of which has values below it. Entity types are few. */
const FIRST_VALUES = 1_000;
const FIRST_TYPES = 100;

/**
 * Rejects facets that may have too many values.
 *
 * **Errors**: `InvalidRequestError` with the number, the limit and a remedy.
 */
export function rejectManyValues({ facets, facetLimit }: Pick<SearchRequest, 'facets' | 'facetLimit'>): void {
  const lists = facets.map(({ fields: [first, second] }) => {
    if (second === undefined) return 1;
    return first === ENTITY_TYPE_FIELD ? FIRST_TYPES : FIRST_VALUES;
  });
  const values = lists.reduce((sum, each) => sum + each, 0) * facetLimit;
  if (values <= MAX_FACET_VALUES) return;
  throw new InvalidRequestError(
    `The facets could have ${String(values)} values, and may have ${String(MAX_FACET_VALUES)}: ${String(facetLimit)} a facet, and for a nested one ` +
      `${String(FIRST_TYPES)} times as many below the type, ${String(FIRST_VALUES)} times below another field. Name fewer facets, or lower searchFlags/maxAggValues`,
  );
}

function filterCost(filter: SearchRequest['filter'] = []): number {
  return filter.flat().reduce((sum, criterion) => sum + criterionCost(criterion), 0);
}

function criterionCost(criterion: SearchCriterion): number {
  const { fields, condition } = criterion;
  switch (condition) {
    case 'exists':
    case 'equal':
      return fields.length * INDEXED_CRITERION;
    case 'contain':
    case 'startWith':
    case 'endWith':
      return fields.length * (CRITERION + criterion.anyOf.length * PART);
    case 'equalKey':
    case 'range':
      return fields.length * CRITERION;
    case 'query':
      return INDEXED_CRITERION + queryCost(criterion.query);
    default:
      return condition satisfies never;
  }
}

function queryCost(node: QueryNode): number {
  switch (node.kind) {
    case 'phrase':
      return QUERY_PART;
    case 'infix':
      return CRITERION;
    case 'not':
      return QUERY_PART + queryCost(node.node);
    case 'and':
    case 'or':
      return node.nodes.reduce((sum, each) => sum + queryCost(each), 0);
    default:
      return 0;
  }
}
