import { covers, parseSequences, type SearchRequest } from '@stratalog/domain';
import type { AspectStore, SearchIndexVersions } from '@stratalog/ports';
import type { EntityRegistry } from '@stratalog/registry';
import { NO_SYNONYMS, narrowed, parseInput, rejectCostly } from '@stratalog/search-text';
import { TEST_RESULTS } from './results/merge-results';

export interface SelectionDeps {
  readonly registry: EntityRegistry;
  readonly store: AspectStore;
  readonly searchIndexes: SearchIndexVersions;
}

/** Which entities are evaluated; each member that is null means all. */
export interface Selection {
  /** Names of entity types; null: every type with results. */
  readonly entityTypes: readonly string[] | null;
  /** Urns of entities, each once and in byte order. */
  readonly urns: readonly string[] | null;
  /** A search, as users write it. */
  readonly query: string | null;
}

/** How far a selection is read. */
export interface SelectionPlace {
  /** Number of entity types that are done; of urns and of a search, 0. */
  readonly at: number;
  /** The last urn of the current one. */
  readonly after: string | null;
  /** The position that the index must have before it is searched. */
  readonly sequences: Readonly<Record<string, number>>;
}

interface Page extends Pick<SelectionPlace, 'at' | 'after'> {
  readonly urns: readonly string[];
  /** Number of entities of the selection, if only a search tells it. */
  readonly total?: number;
}

/**
 * Reads the next urns, those of deleted entities among them. A search selects by the index; who reads on finds each entity that it
 * selects throughout.
 *
 * **Shape**: `end`: there are none. `behind`: the index does not have what it must have yet.
 */
export async function readPage(
  deps: SelectionDeps,
  selection: Selection,
  { at, after, sequences, count }: SelectionPlace & { readonly count: number },
): Promise<Page | 'end' | 'behind'> {
  const { urns, query } = selection;
  if (query !== null) return search(deps, { ...selection, query }, { after, sequences, count });
  if (urns !== null) {
    const page = urns.filter((urn) => after === null || urn > after).slice(0, count);
    return page.length === 0 ? 'end' : { urns: page, at, after: page.at(-1) ?? null };
  }
  const types = selectTypes(deps, selection);
  for (let type = at, last = after; type < types.length; type++, last = null) {
    const prefix = toPrefix(deps, types[type] ?? '');
    const listed = await deps.store.urnsAfter(last ?? prefix, count);
    const page = listed.filter((urn) => urn.startsWith(prefix));
    const next =
      page.length < count ? { at: type + 1, after: null } : { at: type, after: page.at(-1) ?? null };
    if (page.length > 0) return { urns: page, ...next };
  }
  return 'end';
}

async function search(
  { registry, searchIndexes }: SelectionDeps,
  selection: Selection & { readonly query: string },
  { after, sequences, count }: Omit<SelectionPlace, 'at'> & { readonly count: number },
): Promise<Page | 'end' | 'behind'> {
  const index = await searchIndexes.live();
  if (index === undefined || !covers(await index.position(), parseSequences(sequences))) return 'behind';
  const { hits, total } = await index.search({
    ...parseSelection(registry, selection),
    order: [],
    start: 0,
    count,
    ...(after === null ? {} : { after: { keys: [], urn: after } }),
    facets: [],
    facetLimit: 0,
  });
  const urns = hits.map(({ urn }) => urn);
  return urns.length === 0 ? 'end' : { urns, total, at: 0, after: urns.at(-1) ?? null };
}

/**
 * Parses the search of a selection. It is taken at its word: no synonyms, no two words joined to one.
 *
 * **Errors**: `InvalidRequestError` for a range with a wrong end, and for a search over the cost limit.
 */
export function parseSelection(
  registry: EntityRegistry,
  selection: Selection & { readonly query: string },
): Pick<SearchRequest, 'entityTypes' | 'query' | 'filter'> {
  const names = selectTypes({ registry }, selection);
  const entityTypes = names.flatMap((name) => registry.entityType(name) ?? []);
  const parsed = parseInput(selection.query, { entityTypes, synonyms: NO_SYNONYMS, joins: false });
  const { query, conditions } = parsed;
  const request = { entityTypes: names, query, ...narrowed(undefined, conditions) };
  rejectCostly({ ...request, order: [] });
  return request;
}

/** Counts the entities of a selection; `undefined` when only a search tells it. */
export async function countSelected(deps: SelectionDeps, selection: Selection): Promise<number | undefined> {
  const { urns, query } = selection;
  if (query !== null) return undefined;
  if (urns !== null) return urns.length;
  let total = 0;
  for (const type of selectTypes(deps, selection)) {
    total += (await deps.store.urnsWith({ prefix: toPrefix(deps, type), start: 0, count: 0 })).total;
  }
  return total;
}

/** Every type with results, unless some are named: a test that is about others now has results of the former ones. */
function selectTypes(
  { registry }: Pick<SelectionDeps, 'registry'>,
  { entityTypes }: Pick<Selection, 'entityTypes'>,
): readonly string[] {
  return (
    entityTypes ??
    registry.entityTypes
      .filter(({ aspects }) => aspects.has(TEST_RESULTS))
      .map(({ name }) => name)
      .sort()
  );
}

function toPrefix({ registry }: Pick<SelectionDeps, 'registry'>, entityType: string): string {
  return `urn:${registry.urnNamespace}:${entityType}:`;
}
