import { QUERY_KINDS } from '../queries/read-queries';
import type { Figures, QueryFigures } from '../measure/summarize';
import type { RelevanceRun } from '../run/measure-relevance';

/** Formats a run for people: figures by kind, and the worst queries with what came first instead. */
export function formatRun({ summary, buildMs, askMs }: RelevanceRun): string {
  const { all, kinds, worst } = summary;
  return [
    `indexed in ${String(Math.round(buildMs))} ms, asked in ${String(Math.round(askMs))} ms`,
    '',
    `${'kind'.padEnd(16)}  MRR    nDCG@10`,
    ...QUERY_KINDS.map((kind) => formatFigures(kind, kinds[kind])),
    formatFigures('all', all),
    '',
    'the ten worst queries:',
    ...worst.map(formatQuery),
    '',
  ].join('\n');
}

function formatFigures(name: string, { mrr, ndcg }: Figures): string {
  return `${name.padEnd(16)}  ${mrr.toFixed(3)}  ${ndcg.toFixed(3)}`;
}

function formatQuery({ ask, kind, in: type, ndcg, bestRank, first }: QueryFigures): string {
  const rank = bestRank === undefined ? 'not among the hits' : `at ${String(bestRank)}`;
  return `  ${ndcg.toFixed(3)}  ${kind}: ${ask} (${type}); best answer ${rank}; first: ${first ?? 'nothing'}`;
}
