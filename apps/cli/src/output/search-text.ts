import type { SearchFacet, SearchLine, SearchPage } from './search-page';
import { toCard, type EntityCard } from './entity-card';
import { printable } from './printable';
import { cutLine, textTable } from './text-table';

export interface SearchTextOptions {
  readonly input: string;
  /** The types that were searched; empty: all. */
  readonly entities: readonly string[];
  /** Offset of the first hit. */
  readonly start: number;
  /** Cards of the hits, by urn. */
  readonly cards: ReadonlyMap<string, EntityCard>;
  /** Characters in a line; unlimited by default. */
  readonly width?: number;
}

/** Values of a facet that are printed. */
const MAX_FACET_VALUES = 8;
/** A matched description may be a page long; this is enough to see why it matched. */
const MAX_VALUE = 60;

/** Longest name and kind of a hit in the columns before its description. */
const MAX_NAME = 40;
const MAX_KIND = 30;

/** Formats a page of a search as text: the number of hits, each hit as a name with its urn below, and the facets. */
export function formatSearch(page: SearchPage, options: SearchTextOptions): string {
  const { total, hits } = page;
  if (total === 0) return '';
  const { entities, start, cards, width } = options;
  const range = hits.length === 0 ? '' : `, ${String(start + 1)} to ${String(start + hits.length)}`;
  const types = entities.length === 0 ? '' : `${printable(entities.join(', '))}: `;
  const rows = hits.map((hit) => {
    const card = cards.get(hit.urn) ?? toCard(hit.urn);
    const kind = [card.type, card.platform].filter(Boolean).join(', ');
    return [
      `  ${shortened(card.name, MAX_NAME)}`,
      shortened(kind, MAX_KIND),
      oneLine(card.description) || matchedText(hit),
    ];
  });
  const lines = textTable(rows, width)
    .split('\n')
    .flatMap((line, place) => {
      const hit = hits[place];
      return hit === undefined ? [] : [line, `    ${printable(hit.urn)}`];
    });
  const facets = page.facets
    .filter(({ name, counts }) => counts.length > 0 && (!name.startsWith('_') || name === '_entityType'))
    .map((facet) => cutLine(`  ${printable(facetText(facet))}`, width));
  return [
    ...shownFor(page, options.input),
    `${types}${String(total)} found${range}`,
    ...lines,
    ...facets,
    '',
  ].join('\n');
}

/** Says how the hits match when none has all words of the query. */
function shownFor({ fallback, suggestions }: SearchPage, input: string): readonly string[] {
  const [suggestion] = suggestions;
  if (fallback === undefined) return [];
  const shown =
    fallback === 'someWords'
      ? 'some of the words'
      : suggestion === undefined
        ? 'similar words'
        : `"${suggestion}"`;
  return [printable(`nothing matches "${input}"; showing results for ${shown}`)];
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
    .map(
      ([name, { value, more }]) =>
        `${name}: ${shortened(value, MAX_VALUE)}${more > 0 ? ` (+${String(more)})` : ''}`,
    )
    .join('; ');
}

function facetText({ name, counts }: SearchFacet): string {
  const shown = counts.slice(0, MAX_FACET_VALUES).map(({ value, count }) => `${value} ${String(count)}`);
  const more = counts.length - shown.length;
  const label = name === '_entityType' ? 'type' : name;
  return `by ${label}: ${shown.join(', ')}${more > 0 ? `, and ${String(more)} more` : ''}`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function shortened(text: string, most: number): string {
  const line = oneLine(text);
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}
