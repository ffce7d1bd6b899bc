import {
  isFolderFacet,
  type Facet,
  type FacetRequest,
  type SearchFilter,
  withoutNul,
} from '@stratalog/model';
import type { StatementParameters } from '../database/statement-parameters';
import type { SearchTables } from './search-tables';

/** Facets that are counted over the same matches. */
export interface FacetGroup {
  /** Absent: the matches of the request. */
  readonly filter?: SearchFilter;
  /** The facets, each with its place in the request. */
  readonly facets: readonly (FacetRequest & { readonly at: number })[];
}

/** A counted value: the place of its facet in the request, its values, and the number of matches. */
export type CountedValue = readonly [at: number, values: readonly string[], count: number];

/** Groups facets by their filters. The first group has none, and may be empty. */
export function groupFacets(facets: readonly FacetRequest[]): readonly FacetGroup[] {
  const groups = new Map<string, { filter?: SearchFilter; facets: (FacetRequest & { at: number })[] }>();
  groups.set('', { facets: [] });
  for (const [at, facet] of facets.entries()) {
    const { filter } = facet;
    const key = filter === undefined ? '' : JSON.stringify(filter);
    const group = groups.get(key) ?? { ...(filter === undefined ? {} : { filter }), facets: [] };
    groups.set(key, group);
    group.facets.push({ ...facet, at });
  }
  return [...groups.values()];
}

/**
 * Returns the expression for the lists that these facets count, as the column `facets` of the matches. Folders lie in a
 * column of their own, because only browsing counts them.
 */
export function facetColumn(facets: readonly FacetRequest[]): string {
  const folders = facets.filter(({ fields }) => fields.some(isFolderFacet)).length;
  if (folders === 0) return 'facets';
  return folders === facets.length ? 'folders as facets' : 'facets || folders as facets';
}

/** What facets are counted over. */
export interface Counted {
  /** The select of the matches, with a column `facets`. */
  readonly matches: string;
  readonly tables: Pick<SearchTables, 'facetFields' | 'hasFacetFields'>;
  /** Most values of a facet. */
  readonly limit: number;
}

/** Builds a select of rows `at, values, count` for the facets of a group; `undefined` without facets. */
export function countFacets(
  counted: Counted,
  { facets }: FacetGroup,
  parameters: StatementParameters,
): string | undefined {
  if (facets.length === 0) return undefined;
  const limit = `${parameters.add(counted.limit)}::integer`;
  const single = facets.filter(({ fields }) => fields.length === 1);
  const pairs = facets.filter(({ fields }) => fields.length === 2);
  const counts = [
    ...(single.length === 0 ? [] : [countSingle(counted, single, limit, parameters)]),
    ...pairs.map((pair) => countPairs(counted, pair, limit, parameters)),
  ];
  return counts.join(' union all ');
}

/**
 * Counts equal lists of each field first, because most documents share their lists with others and unnesting a list costs more
 * than counting it. Each field is an aggregate of its own: the planner sorts the matches anew for most fields of grouping sets.
 */
function countSingle(
  counted: Counted,
  facets: FacetGroup['facets'],
  limit: string,
  parameters: StatementParameters,
): string {
  const lists = facets.map(({ at, fields: [name] }) => {
    const field = `${parameters.add(name)}::text`;
    return `select ${parameters.add(at)}::integer as at, facets -> ${field} as list, count(*) as n
                                from ${readMatches(counted, [field])} group by 2`;
  });
  const always = facets.flatMap(({ at, always: values = [] }) =>
    values.map((value) => ({ at, value: withoutNul(value) })),
  );
  const isAlways =
    always.length === 0
      ? ''
      : ` or (f.at, f.value) in (select * from unnest(${parameters.add(always.map(({ at }) => at))}::integer[],
                                                      ${parameters.add(always.map(({ value }) => value))}::text[]))`;
  return `
      select f.at, array[f.value] as values, f.count
        from (select c.*, row_number() over (partition by c.at order by c.count desc, c.value) as place
                from (select l.at, v.value collate "C" as value, sum(l.n)::bigint as count
                        from (${lists.join(' union all ')}) l
                       cross join lateral jsonb_array_elements_text(l.list) v(value)
                       group by 1, 2) c) f
       where f.place <= ${limit}${isAlways}`;
}

function countPairs(
  counted: Counted,
  { at, fields: [one, other = ''] }: FacetGroup['facets'][number],
  limit: string,
  parameters: StatementParameters,
): string {
  const [first, second] = [`${parameters.add(one)}::text`, `${parameters.add(other)}::text`];
  return `
      (select ${parameters.add(at)}::integer as at, array[v.value collate "C", w.value collate "C"] as values, sum(l.n)::bigint as count
         from (select facets -> ${first} as one, facets -> ${second} as other, count(*) as n
                 from ${readMatches(counted, [first, second])} group by 1, 2) l
        cross join lateral jsonb_array_elements_text(l.one) v(value)
        cross join lateral jsonb_array_elements_text(l.other) w(value)
        group by 2 order by 3 desc, 2 limit ${limit})`;
}

/** Reads the matches, unless no document has one of the fields: the server decides that before it reads any. */
function readMatches({ matches, tables }: Counted, fields: readonly string[]): string {
  if (!tables.hasFacetFields) return matches;
  const exist = fields.map((field) => `exists (select from ${tables.facetFields} where field = ${field})`);
  return `${matches} where ${exist.join(' and ')}`;
}

/** Builds the expression for all counted values, in order, from the selects of {@link countFacets}. */
export function collectFacets(counts: readonly string[]): string {
  if (counts.length === 0) return 'null::json';
  return `(select json_agg(json_build_array(at, values, count) order by at, count desc, values collate "C")
                from (${counts.join(' union all ')}) f)`;
}

/** Arranges counted values, which come in order, by the facets of the request. */
export function toFacets(counted: readonly CountedValue[], facets: number): readonly Facet[] {
  const counts = Array.from({ length: facets }, (): Facet['counts'][number][] => []);
  for (const [at, values, count] of counted) counts[at]?.push({ values, count });
  return counts.map((own) => ({ counts: own }));
}
