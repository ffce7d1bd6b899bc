import type { IndexedAnswer } from '@stratalog/indexing';
import { liveGraph } from '@stratalog/lineage';
import { InvalidRequestError, distance, type PartitionSequences } from '@stratalog/domain';
import { isJsonObject, parseJson, type JsonOutputObject, type JsonValue } from '@stratalog/json';
import { inParallel } from '@stratalog/concurrency';
import type { AspectStore, GraphIndexVersions } from '@stratalog/ports';
import { entityNamed, type EntityRegistry } from '@stratalog/registry';

export interface AssertionDeps {
  readonly registry: EntityRegistry;
  readonly store: AspectStore;
  readonly graphIndexes: GraphIndexVersions;
}

/** How the model names what an assertion is about, and its runs. */
const ASSERTS = 'Asserts';
const RUN = 'assertionRunEvent';

/** Most entities of one request, and most assertions of each that are answered. */
const MAX_ENTITIES = 100;
const MAX_ASSERTIONS = 100;
/** Reads of the graph at the same time. */
const AT_ONCE = 4;
/** Values of one read. */
const PAGE = 1_000;

/**
 * Reads the last result of each assertion about several entities. The assertions come from the graph, the results from the store.
 *
 * **Shape**: `{results: {<urn>: {total, assertions: [{assertion, lastRun?: {time, status, type}}]}}}`: at most a hundred assertions of an entity, by urn.
 *
 * **Errors**: `InvalidRequestError` when a urn is malformed or its type unknown, and for more than a hundred; `UnavailableError` while the first
 * graph is being built.
 */
export async function readAssertionResults(
  { registry, store, graphIndexes }: AssertionDeps,
  ids: readonly string[],
): Promise<IndexedAnswer> {
  if (ids.length > MAX_ENTITIES) {
    throw new InvalidRequestError(
      `Parameter 'ids' names ${String(ids.length)} urns; at most ${String(MAX_ENTITIES)} are read at once`,
    );
  }
  const urns = [...new Set(ids)].map((id) => entityNamed(registry, id).urn);
  const graph = await liveGraph(graphIndexes);
  const query = { direction: 'INCOMING', relationships: [ASSERTS], start: 0, count: MAX_ASSERTIONS } as const;
  // Before the reads, so that each of them includes it.
  const position: PartitionSequences = await graph.position();
  const found = await inParallel(urns, AT_ONCE, async (urn) => {
    const { total, related } = await graph.related({ ...query, urn });
    return { urn, total, assertions: related.map(({ entity }) => entity) };
  });
  const runs = await readLastRuns(store, [...new Set(found.flatMap(({ assertions }) => assertions))]);
  const results = found.map(({ urn, total, assertions }): [string, JsonOutputObject] => [
    urn,
    { total, assertions: assertions.map((assertion) => ({ assertion, lastRun: runs.get(assertion) })) },
  ]);
  const lag = distance(position, await store.readPartitionSequences());
  return { body: { results: Object.fromEntries(results) }, position, lag };
}

async function readLastRuns(
  store: AspectStore,
  assertions: readonly string[],
): Promise<ReadonlyMap<string, JsonOutputObject>> {
  const runs = new Map<string, JsonOutputObject>();
  for (let at = 0; at < assertions.length; at += PAGE) {
    let refs = assertions.slice(at, at + PAGE).map((urn) => ({ urn, aspectName: RUN }));
    while (refs.length > 0) {
      const { values, rest } = await store.readLatestValues(refs);
      for (const [urn, latest] of values)
        for (const { value } of latest) runs.set(urn, toRun(parseJson(value)));
      refs = rest.map((urn) => ({ urn, aspectName: RUN }));
    }
  }
  return runs;
}

/** What a list shows of a run; the measured facts may be large, and are in the values of the assertion. */
function toRun(value: JsonValue): JsonOutputObject {
  const { timestampMillis: time, status, result } = isJsonObject(value) ? value : {};
  return { time, status, type: isJsonObject(result) ? result.type : undefined };
}
