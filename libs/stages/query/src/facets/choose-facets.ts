import {
  ENTITY_TYPE_FIELD,
  type Facet,
  type FacetRequest,
  type ReportUnknown,
  type SearchFilter,
} from '@stratalog/model';
import type { EntityType } from '@stratalog/registry';

/** Separates the two fields of a nested facet, and their values. */
export const NESTING = '\u241e';
/** The facet by entity type and, below it, by sub-type. */
const TYPE_NAMES = 'typeNames';
/** Most facets that a request may name. */
export const MAX_FACETS = 100;

/** The members of a request about facets. */
export interface FacetOptions {
  /** Names of facets; absent: all filters of the model, the entity type, and the sub-types below it. */
  readonly names?: readonly string[];
  /** True: those that an absent `names` means are counted too. */
  readonly addsDefaults?: boolean;
  /** Most values of a facet. */
  readonly limit: number;
}

/** A facet of an answer, with what the index counts for it. */
export interface ChosenFacet {
  readonly name: string;
  readonly displayName: string;
  /** One request; a nested facet has another for its first field. */
  readonly requests: readonly FacetRequest[];
  /** The values that the request's filter selects. */
  readonly selected: readonly string[];
}

/** A filter and the values that it selects by equality, per field. */
export interface SelectedValues {
  readonly filter?: SearchFilter;
  readonly selected: ReadonlyMap<string, readonly string[]>;
}

/**
 * Chooses the facets of a search.
 *
 * A facet counts without the criteria on its own field, except the negated ones: who has selected one value sees how many
 * matches the others would bring. Unknown names are reported to `report`, and left out.
 */
export function chooseFacets(
  types: readonly EntityType[],
  { names, addsDefaults = names === undefined }: Omit<FacetOptions, 'limit'>,
  filtered: SelectedValues,
  report: ReportUnknown,
): readonly ChosenFacet[] {
  const known = displayNames(types);
  const defaults = addsDefaults ? [...known.keys(), ...defaultNesting(known)] : [];
  const chosen = new Set([...(names ?? []), ...defaults]);
  return [...chosen].flatMap((name) => {
    const [field = '', below, ...more] = name.split(NESTING);
    const parts = below === undefined ? [field] : [field, below];
    const titles = parts.map((part) => known.get(part));
    if (more.length > 0 || titles.includes(undefined)) {
      report('/facets/', name, known.keys());
      return [];
    }
    return { name, displayName: titles.join(NESTING), ...toRequests(field, below, filtered) };
  });
}

/** Lists what the index counts for these facets, each request once: the facet by entity type and the nested one below it share a request. */
export function listRequests(chosen: readonly ChosenFacet[]): readonly FacetRequest[] {
  const requests = chosen.flatMap((facet) => facet.requests);
  return [...new Map(requests.map((request) => [toKey(request), request])).values()];
}

/** Returns the answer to a request of a chosen facet. `counted` has the answers to {@link listRequests}, in its order. */
export function findAnswers(
  chosen: readonly ChosenFacet[],
  counted: readonly Facet[],
): (request: FacetRequest) => Facet {
  const answers = new Map(listRequests(chosen).map((request, at) => [toKey(request), counted[at]]));
  return (request) => answers.get(toKey(request)) ?? { counts: [] };
}

/** Equal for requests that count the same. */
function toKey(request: FacetRequest): string {
  return JSON.stringify(request);
}

/** The display names of all facets, by field; the first type that has a field names it. */
function displayNames(types: readonly EntityType[]): ReadonlyMap<string, string> {
  const known = new Map<string, string>();
  for (const { filters } of types) {
    for (const [field, title] of filters) if (!known.has(field)) known.set(field, title);
  }
  return known.set(ENTITY_TYPE_FIELD, 'Type');
}

function defaultNesting(known: ReadonlyMap<string, string>): readonly string[] {
  return known.has(TYPE_NAMES) ? [`${ENTITY_TYPE_FIELD}${NESTING}${TYPE_NAMES}`] : [];
}

function toRequests(
  field: string,
  below: string | undefined,
  { filter, selected }: SelectedValues,
): Pick<ChosenFacet, 'requests' | 'selected'> {
  const own = below === undefined ? [field] : [field, below];
  const relaxed = relaxFilter(filter, own);
  const wider = relaxed === undefined ? {} : { filter: relaxed };
  if (below !== undefined) {
    return {
      requests: [
        { fields: [field], ...wider },
        { fields: [field, below], ...wider },
      ],
      selected: [],
    };
  }
  const values = selected.get(field) ?? [];
  const always = values.length === 0 ? {} : { always: values };
  return { requests: [{ fields: [field], ...wider, ...always }], selected: values };
}

/** Removes the criteria on these fields that are not negated; `undefined` when there are none. */
function relaxFilter(filter: SearchFilter | undefined, fields: readonly string[]): SearchFilter | undefined {
  const isKept = (criterion: SearchFilter[number][number]): boolean =>
    criterion.negated || !criterion.fields.some((name) => fields.includes(name));
  if (filter === undefined || filter.flat().every(isKept)) return undefined;
  return filter.map((criteria) => criteria.filter(isKept));
}
