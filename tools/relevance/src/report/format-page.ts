import type { Figures, QueryFigures } from '../measure/summarize';
import { QUERY_KINDS } from '../queries/read-queries';
import { ENGINES, type Baseline, type Engine } from './baseline';

const ENGINE_NAMES: Readonly<Record<Engine, string>> = {
  postgres: 'PostgreSQL',
  opensearch: 'OpenSearch',
  elasticsearch: 'Elasticsearch',
};
const BEGIN = '<!-- figures: written by npm run relevance -- --write-baseline -->';
const END = '<!-- end of figures -->';

/** Replaces the figures between the markers of the page. **Errors**: an `Error` when a marker is missing. */
export function replaceFigures(page: string, baseline: Baseline): string {
  return replaceBetween(page, { begin: BEGIN, end: END }, formatFigures(baseline));
}

/** Replaces the text between two markers of a page. **Errors**: an `Error` when a marker is missing. */
export function replaceBetween(
  page: string,
  { begin, end }: { readonly begin: string; readonly end: string },
  text: string,
): string {
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`The page has no "${begin}" and "${end}"`);
  return `${before}${begin}\n\n${text}\n${end}${after}`;
}

/** Formats the figures of every size: a table by kind, and the worst queries. */
function formatFigures(baseline: Baseline): string {
  return Object.entries(baseline)
    .map(([size, entries]) => {
      const engines = ENGINES.filter((engine) => entries[engine] !== undefined);
      const count = Number(size).toLocaleString('en-US');
      const kinds = `### ${count} entities\n\n${formatKinds(entries, engines)}`;
      return `${kinds}\n### Worst of ${count}\n\n${formatWorst(entries, engines)}`;
    })
    .join('\n');
}

function formatKinds(entries: Baseline[string], engines: readonly Engine[]): string {
  const cells = ({ mrr, ndcg }: Figures): readonly string[] => [mrr.toFixed(3), ndcg.toFixed(3)];
  const columns = engines.flatMap((engine) => {
    const entry = entries[engine];
    return entry === undefined ? [] : [entry];
  });
  return formatTable([
    ['kind', ...engines.flatMap((engine) => [`${ENGINE_NAMES[engine]} MRR`, 'nDCG@10'])],
    ...QUERY_KINDS.map((kind) => [kind, ...columns.flatMap(({ kinds }) => cells(kinds[kind]))]),
    ['**all**', ...columns.flatMap(({ all }) => cells(all))],
  ]);
}

/** An item for each of the worst queries of any engine; one that is not among the worst of every engine names its engines. */
function formatWorst(entries: Baseline[string], engines: readonly Engine[]): string {
  const items = new Map<string, { readonly query: QueryFigures; readonly names: string[] }>();
  for (const engine of engines)
    for (const query of entries[engine]?.worst ?? []) {
      const key = JSON.stringify(query);
      const item = items.get(key) ?? { query, names: [] };
      item.names.push(ENGINE_NAMES[engine]);
      items.set(key, item);
    }
  return [...items.values()]
    .toSorted((one, other) => one.query.ndcg - other.query.ndcg)
    .map(({ query, names }) => formatItem(query, names.length === engines.length ? [] : names))
    .join('');
}

/** An item instead of a row: the urn of the first hit would make a table wider than a page. */
function formatItem(
  { ask, kind, in: type, ndcg, bestRank, first }: QueryFigures,
  engines: readonly string[],
): string {
  const best = bestRank === undefined ? 'no best hit' : `best at ${String(bestRank)}`;
  const hit = first === undefined ? 'no hit' : `first \`${shortenUrn(first)}\``;
  const where = [type, ...engines].join(', ');
  return `- ${ndcg.toFixed(3)}: \`${ask}\` (${kind}, ${where}), ${best}\\\n  ${hit}\n`;
}

/** Leaves out what is the same in most urns. */
export function shortenUrn(urn: string): string {
  return urn.replace(/^urn:li:/, '').replace('urn:li:dataPlatform:', '');
}

/** A Markdown table with columns of equal width, as oxfmt writes it. */
function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(3, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |\n`;
  const [head = [], ...body] = rows;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('');
}
