import type { FieldOrder } from '@stratalog/domain';
import { StatementParameters } from '../../database/statement-parameters';
import { buildDocumentTest, buildMatching, type PlannedSearch } from './matching';
import { collectIds, facetIds, groupFacets } from '../search-facets';
import { rangeOf } from '../key-entries';
import { buildOrderClauses, orderMark, testLater, type OrderBound } from './search-order';
import { facetColumn, type SearchStatement } from './search-rows';

/*
 * The statements of a search whose hits have a fixed order: by weight, by fields or by urn. Its page needs few of the matches, when these are
 * read in their order. So the matches are counted in one pass that keeps none of them, and the page is read by another statement in the same
 * snapshot.
 */

/**
 * Builds the statement for the total, the matches of the facets that the filter limits, and the checkpoint. It returns the ids of up to
 * `fewByKeys` matches where it would cost much to find them again.
 */
export function countStatement(search: PlannedSearch, fewByKeys: number): SearchStatement {
  const { request, indexVersion } = search;
  const parameters = new StatementParameters([indexVersion]);
  const { from, usesTokens, looksAtKeys } = buildMatching(search, request.filter, parameters);
  const few = looksAtKeys
    ? `, case when count(*) <= ${parameters.add(fewByKeys)} then array_agg(id) end as few`
    : '';
  const group = groupFacets(request.facets).findIndex(({ filter }) => filter === undefined);
  const ids =
    group < 0 ? '' : `, string_agg(${facetIds(request.facets)}, '\\x00'::bytea) as ${facetColumn(group)}`;
  const text = `
    select c.*, (select json_object_agg(partition, seq) from search_checkpoint where index_version = $1) as position
      from (select count(*)::integer as total${ids}${few} from ${from}) c`;
  return { text, values: parameters.values, usesTokens };
}

/** Builds a statement for the matches of each group of facets that has a filter of its own. */
export function facetStatements(search: PlannedSearch): readonly SearchStatement[] {
  const { request } = search;
  return groupFacets(request.facets).flatMap(({ filter }, at) => {
    if (filter === undefined) return [];
    const parameters = new StatementParameters([]);
    const { from, usesTokens } = buildMatching(search, filter, parameters);
    const ids = collectIds(facetIds(request.facets), from);
    return [{ text: `select ${ids} as ${facetColumn(at)}`, values: parameters.values, usesTokens }];
  });
}

/**
 * Where a page looks for its hits: among all matches; among a few whose ids are known; or among the first documents of a walk in the order
 * of the hits, where it may find fewer hits than the page has.
 */
export type PageSource = AllMatches | { readonly kind: 'walk'; readonly walked: number };

export type AllMatches =
  | { readonly kind: 'matches' }
  | { readonly kind: 'few'; readonly ids: readonly string[] };

/** Builds the statement for the page of a search by weight. A walk has the heaviest documents. */
export function pageByWeight(search: PlannedSearch, from: PageSource): SearchStatement {
  const { request, tables } = search;
  const parameters = new StatementParameters([request.count, request.start]);
  const heaviest = 'order by weight desc, urn';
  const { source, usesTokens } = buildSource(search, parameters, from, (limit) => {
    const types = parameters.add(request.entityTypes);
    const ofType = `select ${WALKED} from ${tables.documents} where entity_type = t.type and not removed ${heaviest} limit ${limit}`;
    return `select * from unnest(${types}::text[]) t(type) cross join lateral (${ofType}) each ${heaviest} limit ${limit}`;
  });
  const page = `select urn, weight as score from ${source} ${heaviest} limit $1 offset $2`;
  return { text: selectHits(tables, page, 'score desc, urn'), values: parameters.values, usesTokens };
}

/** Builds the statement for the page of a search by urn. A walk has the documents after the cursor. */
export function pageByUrn(search: PlannedSearch, from: PageSource): SearchStatement {
  const { request, tables } = search;
  const parameters = new StatementParameters([request.count, request.start]);
  const later = testUrnAfter(request.after?.urn, parameters);
  const { source, usesTokens } = buildSource(
    search,
    parameters,
    from,
    (limit) => `select ${WALKED} from ${tables.documents} where ${later} order by urn limit ${limit}`,
  );
  const page = `select urn, score from (select urn, weight as score from ${source}) m where ${later} order by urn limit $1 offset $2`;
  return { text: selectHits(tables, page, 'urn'), values: parameters.values, usesTokens };
}

function testUrnAfter(urn: string | undefined, parameters: StatementParameters): string {
  return urn === undefined ? 'true' : `urn > ${parameters.add(urn)}::text`;
}

/** The columns of a document that its test and the page read. */
const WALKED = 'id, urn, entity_type, removed, deleted, weight, tokens';

/** Builds the text after `from` in a select of the hits. */
function buildSource(
  search: PlannedSearch,
  parameters: StatementParameters,
  from: PageSource,
  walk?: (limit: string) => string,
): Pick<SearchStatement, 'usesTokens'> & { readonly source: string } {
  switch (from.kind) {
    case 'matches': {
      const matching = buildMatching(search, search.request.filter, parameters);
      return { source: matching.from, usesTokens: matching.usesTokens };
    }
    case 'few': {
      const ids = `${parameters.add(from.ids)}::bigint[]`;
      return { source: `${search.tables.documents} d where id = any(${ids})`, usesTokens: false };
    }
    case 'walk': {
      const { shown, rest = 'true', usesTokens } = buildDocumentTest(search, parameters);
      const walked = walk?.(parameters.add(from.walked)) ?? '';
      return { source: `(${walked}) d where ${shown} and ${rest}`, usesTokens };
    }
    default:
      return from satisfies never;
  }
}

/** The end of a page in an order by fields. */
export interface PageEnd {
  /** The entry of the last hit in the first field of the order. */
  readonly entry: string;
  /** Number of matches whose entry comes before it. */
  readonly before: number;
}

/**
 * Builds the statement for the end of a page in an order by fields: the page needs no match whose entry comes later. It tests the first
 * `walked` entries, and returns no row when these have too few matches.
 */
export function pageEndStatement(search: PlannedSearch, first: FieldOrder, walked: number): SearchStatement {
  const { request, tables } = search;
  const { count, start, after } = request;
  const parameters = new StatementParameters([walked, start + count - 1]);
  const { shown, rest = 'true', usesTokens } = buildDocumentTest(search, parameters);
  const inOrder = `order by entry ${first.isDescending ? 'desc' : 'asc'}`;
  const text = `
    select entry, (rank() over (${inOrder}))::integer - 1 as before
      from (select document, entry from ${tables.keys}
             where ${testLater(first, after, parameters)} and ${orderMark(first)} ${inOrder} limit $1) f
     cross join lateral (select 1 from ${tables.documents} d where d.id = f.document and ${shown} and ${rest} limit 1) match
     ${inOrder} limit 1 offset $2`;
  return { text, values: parameters.values, usesTokens };
}

/** Builds the statement for the page of a search by fields; without the matches behind `until`, if it is known. */
export function pageByFields(
  search: PlannedSearch,
  order: readonly FieldOrder[],
  { from, until }: { readonly from: AllMatches; readonly until?: OrderBound | undefined },
): SearchStatement {
  const { request, tables } = search;
  const parameters = new StatementParameters([request.count, request.start]);
  const { source, usesTokens } = buildSource(search, parameters, from);
  const target = { keys: tables.keys, parameters, until };
  const clauses = buildOrderClauses(order, request.after, target);
  const page = `
      select urn, score, ${clauses.keys} as keys, row_number() over (order by ${clauses.by}) as place
        from (select * from ${clauses.from} where ${clauses.after} order by ${clauses.by} limit $1 offset $2) first`;
  const matched = `with matched as (select id, urn, weight as score from ${source})`;
  return { text: `${matched} ${selectHits(tables, page, 'place')}`, values: parameters.values, usesTokens };
}

/** Hits that one entry of the only field of an order ties: they have the order of their urns. */
export interface Ties {
  readonly order: FieldOrder;
  /** The entry that they have, a whole key. */
  readonly entry: string;
  /** The urn after which they come; absent for the first ones. */
  readonly after?: string;
  /** Their place among the tied hits, and their number. */
  readonly start: number;
  readonly count: number;
}

/**
 * Builds the statement for tied hits by a test of the first `walked` documents by urn; it may find fewer hits than there are. It tests none
 * when fewer than `walked` documents are tied: the walk would rarely meet them.
 */
export function walkTies(search: PlannedSearch, ties: Ties, walked: number): SearchStatement {
  const { tables } = search;
  const { parameters, later, isTied } = buildTies(ties);
  const { source, usesTokens } = buildSource(search, parameters, { kind: 'walk', walked }, (limit) => {
    const some = `select from ${tables.keys} where ${isTied} limit ${limit}`;
    const few = `(select case when count(*) = ${limit} then ${limit} else 0 end from (${some}) s)`;
    return `select ${WALKED} from ${tables.documents} where ${later} order by urn limit ${few}`;
  });
  const from = `${source} and exists (select from ${tables.keys} where document = d.id and ${isTied})`;
  return selectTies(search, ties, { from, parameters, usesTokens });
}

/** Builds the statement for tied hits that reads all tied documents. */
export function tiesStatement(search: PlannedSearch, ties: Ties): SearchStatement {
  const { tables } = search;
  const { parameters, later, isTied } = buildTies(ties);
  const { shown, rest = 'true', usesTokens } = buildDocumentTest(search, parameters);
  const tied = `array(select document from ${tables.keys} where ${isTied})`;
  const from = `${tables.documents} d where id = any(${tied}) and ${later} and ${shown} and ${rest}`;
  return selectTies(search, ties, { from, parameters, usesTokens });
}

function buildTies({ order, entry, after, start, count }: Ties): {
  readonly parameters: StatementParameters;
  /** Tests the urn of a document, and an entry. */
  readonly later: string;
  readonly isTied: string;
} {
  const parameters = new StatementParameters([count, start]);
  const later = testUrnAfter(after, parameters);
  return { parameters, later, isTied: `entry = ${parameters.add(entry)}::text and ${orderMark(order)}` };
}

function selectTies(
  { tables }: PlannedSearch,
  { order, entry }: Ties,
  {
    from,
    parameters,
    usesTokens,
  }: { readonly from: string; readonly parameters: StatementParameters; readonly usesTokens: boolean },
): SearchStatement {
  const key = entry.slice(rangeOf(order.field).start.length);
  const page = `
      select urn, weight as score, array[${parameters.add(key)}]::text[] as keys from ${from} order by urn limit $1 offset $2`;
  return { text: selectHits(tables, page, 'urn'), values: parameters.values, usesTokens };
}

function selectHits({ documents }: PlannedSearch['tables'], page: string, order: string): string {
  return `select p.*, d.body from (${page}) p
            left join lateral (select body from ${documents} where urn = p.urn limit 1) d on true order by ${order}`;
}
