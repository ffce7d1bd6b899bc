import type { AnswerOf, ParametersOf } from '@stratalog/client';
import { many } from '../../app/search-parameters';

type Across = 'POST /entities?action=searchAcrossEntities';

export type SearchAnswer = NonNullable<AnswerOf<Across>>;
export type SearchRequest = ParametersOf<Across>;
export type Facet = SearchAnswer['metadata']['aggregations'][number];

/** The facets of every search, by the name of their parameter in the address, in order. */
const FACETS: readonly (readonly [parameter: string, field: string, title: string])[] = [
  ['type', '_entityType', 'Type'],
  ['platform', 'platform', 'Platform'],
  ['domains', 'domains', 'Domain'],
  ['tags', 'tags', 'Tag'],
  ['owners', 'owners', 'Owner'],
  ['glossaryTerms', 'glossaryTerms', 'Glossary term'],
];

export interface ShownFacet {
  readonly parameter: string;
  readonly field: string;
  readonly title: string;
}

export const EVERY_FACET: readonly ShownFacet[] = FACETS.map(([parameter, field, title]) => ({
  parameter,
  field,
  title,
}));

/** The facets of the chosen type by its model, behind those of every search. */
export function facetsOfType(filters: Readonly<Record<string, string>>): readonly ShownFacet[] {
  const known = new Set(EVERY_FACET.map(({ field }) => field));
  return Object.entries(filters).flatMap(([field, title]) =>
    known.has(field) ? [] : [{ parameter: field, field, title: sentenceCase(title) }],
  );
}

function sentenceCase(title: string): string {
  return title
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .split(' ')
    .map((word, at) => (at === 0 ? word : word.toLowerCase()))
    .join(' ');
}

export interface Chosen extends ShownFacet {
  readonly values: readonly string[];
}

const OTHERS = ['q', 'sort', 'page', 'at'];

/** The facets that the address chooses values of; values of one are alternatives. */
export function chosenIn(search: Readonly<Record<string, unknown>>): readonly Chosen[] {
  return Object.entries(search).flatMap(([parameter, value]) => {
    const values = many(value);
    if (OTHERS.includes(parameter) || values.length === 0) return [];
    const known = EVERY_FACET.find((facet) => facet.parameter === parameter);
    return [{ ...(known ?? { parameter, field: parameter, title: sentenceCase(parameter) }), values }];
  });
}

/** The filter of the chosen values, without those of one facet: a facet counts without its own choice. */
export function toFilter(chosen: readonly Chosen[], without?: string): SearchRequest['filter'] {
  const and = chosen.flatMap(({ field, values }) =>
    field === without ? [] : [{ field, values: [...values], condition: 'EQUAL' as const }],
  );
  return and.length === 0 ? undefined : { or: [{ and }] };
}
