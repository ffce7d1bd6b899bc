import type { SearchFacet, SearchLine, SearchPage } from './search-page';
import { printable } from './printable';
import { textTable } from './text-table';

export interface SearchTextOptions {
  readonly entity: string;
  /** Offset of the first hit. */
  readonly start: number;
  /** Characters in a line; unlimited by default. */
  readonly width?: number;
}

/** Values of a facet that are printed. */
const MAX_FACET_VALUES = 8;
/** A matched description may be a page long; this is enough to see why it matched. */
const MAX_VALUE = 60;

/** The words of the title about hits that lack words of the query. */
const FALLBACKS: Readonly<Record<string, string>> = {
  similarWords: ', by similar words',
  someWords: ', by some of the words',
};

/** Formats a page of a search as text: the number of hits, the hits with their matches, and the facets. */
export function formatSearch(page: SearchPage, { entity, start, width }: SearchTextOptions): string {
  const { total, hits, fallback } = page;
  const range = hits.length === 0 ? '' : `, ${String(start + 1)} to ${String(start + hits.length)}`;
  const title = `${printable(entity)}: ${String(total)} found${range}${fallback === undefined ? '' : (FALLBACKS[fallback] ?? '')}\n`;
  if (total === 0) return title;
  const rows = hits.map((hit) => [`  ${hit.urn}`, matchedText(hit)]);
  const facets = page.facets
    // The title names the type.
    .filter(({ name, counts }) => counts.length > 0 && !name.startsWith('_'))
    .map((facet) => `  ${printable(facetText(facet))}\n`);
  return title + textTable(rows, width) + facets.join('');
}

/** Each field once: a word that matches twenty column names would hide the other fields. */
function matchedText({ matched }: SearchLine): string {
  const fields = new Map<string, { readonly value: string; more: number }>();
  for (const { name, value } of matched) {
    const known = fields.get(name);
    if (known === undefined) fields.set(name, { value, more: 0 });
    else known.more++;
  }
  return [...fields]
    .map(([name, { value, more }]) => `${name}: ${shortened(value)}${more > 0 ? ` (+${String(more)})` : ''}`)
    .join('; ');
}

function facetText({ name, counts }: SearchFacet): string {
  const shown = counts.slice(0, MAX_FACET_VALUES).map(({ value, count }) => `${value} ${String(count)}`);
  const more = counts.length - shown.length;
  return `by ${name}: ${shown.join(', ')}${more > 0 ? `, and ${String(more)} more` : ''}`;
}

function shortened(value: string): string {
  const line = value.replace(/\s+/g, ' ').trim();
  return line.length <= MAX_VALUE ? line : `${line.slice(0, MAX_VALUE - 1)}…`;
}
