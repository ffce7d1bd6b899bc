import type { GraphQLResolveInfo } from 'graphql';
import { InvalidRequestError, parentOfColumn, parseUrn } from '@stratalog/domain';
import type { JsonOutputObject } from '@stratalog/json';
import { DEGREES, takeDegrees, type DegreeValue } from '../../lineage/filter-degrees';
import { MAX_PATHS, getLineage } from '../../lineage/get-lineage';
import { ALL_HOPS, MAX_FOLLOWED, type Following } from '../../lineage/lineage-parameters';
import { scrollAcrossLineage, searchAcrossLineage, type LineageSearch } from '../../lineage/search-lineage';
import type { CallScope } from '../call-scope';
import { EntityRef } from '../fields/values';
import type { SentLineageSearch, SentPage, SentScroll } from '../filters/sent-search';
import { toRange } from '../filters/to-range';
import { reject, toSearchBy, toSearchPlace } from '../filters/to-search-by';
import { selects } from '../text/selects';
import { toPage, toScrollPage } from './search';
import { toFacets } from './to-facets';

const SCHEMA_FIELD = 'SCHEMA_FIELD';

/** Searches one page of what lineage leads to. **Errors**: those of `searchAcrossLineage`. */
export async function searchLineage(
  scope: CallScope,
  sent: SentLineageSearch & SentPage,
  info: GraphQLResolveInfo,
): Promise<object> {
  const page = toPage(sent);
  const search = await toLineageSearch(scope, sent, info);
  if (answersColumns(sent)) {
    const { total, results } = await readColumns(scope, search, page);
    return { start: page.start, count: results.length, total, searchResults: results };
  }
  scope.costs.countQuery();
  const found = await scope.followed(() => searchAcrossLineage(scope.deps, search, page));
  const results = toResults(found, await readColumnPaths(scope, search));
  return {
    start: page.start,
    count: results.length,
    total: found.numEntities,
    facets: toFacets(found, scope.names),
    searchResults: results,
  };
}

/** Reads one page of all that lineage leads to. **Errors**: those of `scrollAcrossLineage`. */
export async function scrollLineage(
  scope: CallScope,
  sent: SentLineageSearch & SentPage & SentScroll,
  info: GraphQLResolveInfo,
): Promise<object> {
  const page = toScrollPage(sent);
  const search = await toLineageSearch(scope, sent, info);
  if (answersColumns(sent)) return scrollColumns(scope, search, page);
  scope.costs.countQuery();
  const found = await scope.followed(() => scrollAcrossLineage(scope.deps, search, page));
  const results = toResults(found, await readColumnPaths(scope, search));
  const isAll = page.scrollId === undefined && results.length === found.numEntities;
  return {
    nextScrollId: isAll ? null : found.scrollId,
    count: results.length,
    total: found.numEntities,
    searchResults: results,
  };
}

/** Results are schema fields when they are to be grouped by schema fields. */
function answersColumns({ urn, searchFlags }: SentLineageSearch): boolean {
  const criteria = searchFlags?.groupingSpec?.groupingCriteria ?? [];
  return (
    parentOfColumn(urn ?? '') !== undefined &&
    criteria.some(({ groupingEntityType }) => groupingEntityType === SCHEMA_FIELD)
  );
}

async function toLineageSearch(
  scope: CallScope,
  sent: SentLineageSearch,
  info: GraphQLResolveInfo,
): Promise<LineageSearch> {
  const urn = sent.urn ?? reject('urn', 'is required');
  const parsed = parseUrn(urn);
  if ('fault' in parsed) reject('urn', `"${urn.slice(0, 600)}" is no urn: ${parsed.fault}`);
  const place = await toSearchPlace(scope, sent);
  const { filter: criteria, degrees } = takeDegrees(place.criteria, reject);
  const hasFacets = selects(info, 'facets');
  return {
    urn,
    following: toFollowing(sent, degrees),
    degrees,
    searched: toSearchBy(scope, sent, { ...place, criteria }, { hasFacets, mayRelax: false }),
  };
}

/** The greatest degree that the filter names bounds the walk. */
function toFollowing(
  { direction, searchFlags, lineageFlags, ...sent }: SentLineageSearch,
  degrees: readonly DegreeValue[] = DEGREES,
): Following {
  const { fromMs, toMs } = toRange(
    lineageFlags?.startTimeMillis ?? sent.startTimeMillis,
    lineageFlags?.endTimeMillis ?? sent.endTimeMillis,
    'input/',
  );
  if ((lineageFlags?.ignoreAsHops ?? []).length > 0) {
    reject('lineageFlags/ignoreAsHops', 'is not served: each entity on the way is a hop');
  }
  const followedPerHop = lineageFlags?.entitiesExploredPerHopLimit ?? undefined;
  if (followedPerHop !== undefined && followedPerHop < 1) {
    reject('lineageFlags/entitiesExploredPerHopLimit', 'must be at least 1');
  }
  return {
    direction,
    maxHops: degrees.includes('3+') ? ALL_HOPS : Math.max(1, ...degrees.map(Number)),
    level: undefined,
    ...(fromMs === undefined ? {} : { fromMs }),
    ...(toMs === undefined ? {} : { toMs }),
    ...(followedPerHop === undefined ? {} : { followedPerHop: Math.min(followedPerHop, MAX_FOLLOWED) }),
    includesSoftDeleted: searchFlags?.includeSoftDeleted === true,
    includesMissing: true,
  };
}

interface FoundStep {
  readonly entity: string;
  readonly degree: number;
  readonly paths: readonly (readonly string[])[];
}

type Paths = FoundStep['paths'];

/** The paths of a step: of columns where lineage starts at a column. */
function toResults({ entities }: JsonOutputObject, ofColumns: ReadonlyMap<string, Paths>): readonly object[] {
  const steps = entities as unknown as readonly FoundStep[];
  return steps.map((step) => toResult({ ...step, paths: ofColumns.get(step.entity) ?? step.paths }));
}

/** Reads the paths between columns, by the entity at which they end; none where lineage does not start at a column. */
async function readColumnPaths(scope: CallScope, search: LineageSearch): Promise<ReadonlyMap<string, Paths>> {
  const paths = new Map<string, Paths>();
  if (parentOfColumn(search.urn) === undefined) return paths;
  // The degrees are those of entities, and their results are selected already.
  const all = { ...search, degrees: undefined };
  const { steps } = await walkColumns(scope, all, { start: 0, count: MAX_COLUMNS });
  for (const step of steps) {
    const parent = parentOfColumn(step.entity);
    if (parent !== undefined)
      paths.set(parent, [...(paths.get(parent) ?? []), ...step.paths].slice(0, MAX_PATHS));
  }
  return paths;
}

function toResult({ entity, degree, paths }: FoundStep): object {
  return {
    degree,
    entity: new EntityRef(entity),
    paths: paths.map((path) => ({ path: path.map((urn) => new EntityRef(urn)) })),
  };
}

/** Most columns whose paths one page of entities tells. */
const MAX_COLUMNS = 1_000;

/** Columns are in no search index, so that the walk alone answers. */
async function readColumns(
  scope: CallScope,
  search: LineageSearch,
  page: { readonly start: number; readonly count: number },
): Promise<{ readonly total: number; readonly results: readonly object[] }> {
  const { total, steps } = await walkColumns(scope, search, page);
  return { total, results: steps.map(toResult) };
}

async function walkColumns(
  { deps, costs, followed }: CallScope,
  { urn, following, degrees }: LineageSearch,
  page: { readonly start: number; readonly count: number },
): Promise<{ readonly total: number; readonly steps: readonly FoundStep[] }> {
  costs.countQuery();
  const columns = { ...following, level: 'COLUMN' as const };
  const found = await followed(() => getLineage(deps, urn, { following: columns, degrees, ...page }));
  return {
    total: Number(found.total),
    steps: found.relationships as unknown as readonly FoundStep[],
  };
}

const COLUMNS_ID = /^columns:(\d{1,9})$/;

async function scrollColumns(
  scope: CallScope,
  search: LineageSearch,
  { scrollId, count }: { readonly scrollId: string | undefined; readonly count: number },
): Promise<object> {
  const [, digits] = COLUMNS_ID.exec(scrollId ?? 'columns:0') ?? [];
  if (digits === undefined)
    throw new InvalidRequestError('input/scrollId: is not the id of a page of columns');
  const start = Number(digits);
  const { total, results } = await readColumns(scope, search, { start, count });
  const next = start + count;
  return {
    nextScrollId: next < total ? `columns:${String(next)}` : null,
    count: results.length,
    total,
    searchResults: results,
  };
}
