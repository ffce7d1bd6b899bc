import {
  ENTITY_TYPE_FIELD,
  propertyOfField,
  type FacetRequest,
  type ReportUnknown,
  type SearchFilter,
} from '@stratalog/domain';
import type { EntityType } from '@stratalog/registry';
import { isProperty } from '../filters/searched-field';

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
  /** One request; a nested facet has another for its first field. Facets that count the same have the same object. */
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
  const shared = new Map<string, FacetRequest>();
  const share = (request: FacetRequest): FacetRequest => {
    const key = JSON.stringify(request);
    const same = shared.get(key) ?? request;
    shared.set(key, same);
    return same;
  };
  return [...chosen].flatMap((name) => {
    const [field = '', below, ...more] = name.split(NESTING);
    const parts = below === undefined ? [field] : [field, below];
    const titles = parts.map(
      (part) => known.get(part) ?? (isProperty(types, part) ? propertyOfField(part) : undefined),
    );
    if (more.length > 0 || titles.includes(undefined)) {
      report('/facets/', name, known.keys());
      return [];
    }
    const { requests, selected } = toRequests(field, below, filtered);
    return { name, displayName: titles.join(NESTING), requests: requests.map(share), selected };
  });
}

/** Lists what the index counts for these facets, each request once. */
export function listRequests(chosen: readonly ChosenFacet[]): readonly FacetRequest[] {
  return [...new Set(chosen.flatMap(({ requests }) => requests))];
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
