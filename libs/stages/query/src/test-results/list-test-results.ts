import {
  InvalidRequestError,
  NotFoundError,
  entityTypeIn,
  type PartitionSequences,
  type SearchRequest,
  type StoredAspect,
} from '@stratalog/domain';
import { isJsonObject, parseJson, type JsonOutputObject, type JsonValue } from '@stratalog/json';
import { findExisting, readEntityPages } from '@stratalog/concurrency';
import { entityNamed, entityTypeNamed, type EntityRegistry } from '@stratalog/registry';
import { toFilterToken } from '@stratalog/search-text';
import { queryIndex, type SearchDeps } from '../search/query-index';

const TEST_RESULTS = 'testResults';
/** The search fields of `testResults`, by the outcome that they list. */
const FIELDS = { passing: 'passingTests', failing: 'failingTests', error: 'erroneousTests' } as const;
/** Its lists. */
const LISTS = { passing: 'passing', failing: 'failing', error: 'errors' } as const;

export const STORED_OUTCOMES = ['passing', 'failing', 'error'] as const;
type StoredOutcome = (typeof STORED_OUTCOMES)[number];

export interface ResultsQuery {
  /** Absent: every outcome. */
  readonly outcome?: StoredOutcome | undefined;
  /** Absent: every type with results. */
  readonly entityType?: string | undefined;
  /** The page begins after this urn. */
  readonly after?: string | undefined;
  readonly count: number;
}

/** How an entity did at a test. */
export interface TestResult extends JsonOutputObject {
  readonly urn: string;
  readonly entityType: string;
  readonly outcome: StoredOutcome;
  /** Epoch milliseconds; absent: not known. */
  readonly computedMillis?: number;
  /** Why the test could not be evaluated; absent with another outcome. */
  readonly reason?: string;
}

export interface ResultsPage {
  readonly body: {
    readonly test: string;
    /** Numbers of entities of the selected types, whatever the outcome that is listed. */
    readonly counts: Readonly<Record<StoredOutcome, number>>;
    readonly results: readonly TestResult[];
    /** The `after` of the next page; absent on the last. */
    readonly next?: string;
  };
  readonly position: PartitionSequences;
  readonly lag: number;
}

/**
 * Lists the entities that pass a test, that fail it, or for which it cannot be evaluated, by urn. The search index finds them, and the store tells their results, so an
 * entity whose result changed since the index took it in has the new one, or is left out.
 *
 * **Errors**: `InvalidRequestError` for a urn of another type, and for a type without results. `NotFoundError` for a test that does
 * not exist. `UnavailableError` while the first index is being built.
 */
export async function listTestResults(
  deps: SearchDeps,
  test: string,
  query: ResultsQuery,
): Promise<ResultsPage> {
  const { registry, store } = deps;
  if (entityNamed(registry, test).entityType.name !== 'test') {
    throw new InvalidRequestError(`Invalid urn ${test}: must be the urn of a test`);
  }
  if (!(await findExisting(store, [test])).has(test)) throw new NotFoundError(`Test ${test} does not exist`);
  const entityTypes = selectTypes(registry, query.entityType);
  const search = (outcomes: readonly StoredOutcome[], page: Partial<SearchRequest>) =>
    queryIndex(deps, {
      entityTypes,
      query: { kind: 'all' },
      filter: outcomes.map((outcome) => [
        { fields: [FIELDS[outcome]], condition: 'equal', anyOf: [toFilterToken(test)], negated: false },
      ]),
      includesSoftDeleted: true,
      order: [],
      start: 0,
      count: 0,
      facets: [],
      facetLimit: 0,
      ...page,
    });
  const { outcome, after, count } = query;
  const outcomes = outcome === undefined ? STORED_OUTCOMES : [outcome];
  const cursor = after === undefined ? {} : { after: { keys: [], urn: after } };
  const { result, position, lag } = await search(outcomes, { ...cursor, count });
  const [passing = 0, failing = 0, error = 0] = await Promise.all(
    STORED_OUTCOMES.map(async (each) => (await search([each], {})).result.total),
  );
  const urns = result.hits.map(({ urn }) => urn);
  const found = await readResults(deps, test, urns);
  const last = urns.length < count ? undefined : urns.at(-1);
  return {
    body: {
      test,
      counts: { passing, failing, error },
      results: found.filter((each) => outcomes.includes(each.outcome)),
      ...(last === undefined ? {} : { next: last }),
    },
    position,
    lag,
  };
}

function selectTypes(registry: EntityRegistry, name: string | undefined): readonly string[] {
  if (name === undefined) {
    return registry.entityTypes.filter(({ aspects }) => aspects.has(TEST_RESULTS)).map((type) => type.name);
  }
  const type = entityTypeNamed(registry, name);
  if (type.aspects.has(TEST_RESULTS)) return [type.name];
  throw new InvalidRequestError(`Parameter 'entityType': entities of type ${name} have no ${TEST_RESULTS}`);
}

/** Reads the results of one test, in the order of the urns. */
async function readResults(
  { store }: SearchDeps,
  test: string,
  urns: readonly string[],
): Promise<readonly TestResult[]> {
  const found = new Map<string, TestResult>();
  for await (const { entities } of readEntityPages(store, urns, { aspectNames: [TEST_RESULTS] })) {
    for (const { urn, aspects } of entities) {
      const result = findResult(urn, test, aspects[0]);
      if (result !== undefined) found.set(urn, result);
    }
  }
  return urns.flatMap((urn) => found.get(urn) ?? []);
}

function findResult(urn: string, test: string, stored: StoredAspect | undefined): TestResult | undefined {
  const value = stored === undefined ? undefined : parseJson(stored.value);
  if (!isJsonObject(value)) return undefined;
  for (const outcome of STORED_OUTCOMES) {
    const results = value[LISTS[outcome]];
    const result = Array.isArray(results) ? results.find((each) => concernsTest(test, each)) : undefined;
    if (result === undefined || !isJsonObject(result)) continue;
    const { lastComputed, reason } = result;
    const time = isJsonObject(lastComputed) ? lastComputed.time : undefined;
    return {
      urn,
      entityType: entityTypeIn(urn),
      outcome,
      ...(typeof time === 'number' ? { computedMillis: time } : {}),
      ...(typeof reason === 'string' ? { reason } : {}),
    };
  }
  return undefined;
}

function concernsTest(test: string, result: JsonValue): boolean {
  return isJsonObject(result) && result.test === test;
}
