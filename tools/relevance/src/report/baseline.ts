import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@stratalog/harness';
import type { Figures, QueryFigures, Summary } from '../measure/summarize';
import { QUERY_KINDS, type QueryKind } from '../queries/read-queries';

export const ENGINES = ['postgres', 'opensearch', 'elasticsearch'] as const;
export type Engine = (typeof ENGINES)[number];

/** Figures of one size on one engine, with three digits. */
export type BaselineEntry = Summary;

/** Baseline entries by number of entities and engine. */
export type Baseline = Readonly<Record<string, Partial<Readonly<Record<Engine, BaselineEntry>>>>>;

/** By so much a figure may fall before a suite fails. */
const TOLERANCE = 0.02;

const FILE = join(ROOT, 'tools/relevance/baseline.json');

export function readBaseline(): Baseline {
  return JSON.parse(readFileSync(FILE, 'utf8')) as Baseline;
}

/** Replaces the entry of one size and engine. */
export function writeBaseline(size: number, engine: Engine, summary: Summary): Baseline {
  const baseline = readBaseline();
  const entry = roundSummary(summary);
  const replaced = { ...baseline, [size]: { ...baseline[String(size)], [engine]: entry } };
  writeFileSync(FILE, `${JSON.stringify(replaced, null, 2)}\n`);
  return replaced;
}

/** Describes each figure of a run that lies below its baseline by more than the tolerance. */
export function findLosses(baseline: BaselineEntry, { all, kinds }: Summary): readonly string[] {
  const names: readonly (QueryKind | 'all')[] = ['all', ...QUERY_KINDS];
  return names.flatMap((name) => {
    const [before, after] = name === 'all' ? [baseline.all, all] : [baseline.kinds[name], kinds[name]];
    return (['mrr', 'ndcg'] as const).flatMap((figure) =>
      after[figure] < before[figure] - TOLERANCE
        ? [`${name}: ${figure} fell from ${before[figure].toFixed(3)} to ${after[figure].toFixed(3)}`]
        : [],
    );
  });
}

function roundSummary({ all, kinds, worst }: Summary): BaselineEntry {
  const rounded = Object.entries(kinds).map(([kind, figures]) => [kind, roundFigures(figures)]);
  return {
    all: roundFigures(all),
    kinds: Object.fromEntries(rounded) as Record<QueryKind, Figures>,
    worst: worst.map((query): QueryFigures => ({ ...query, ...roundFigures(query) })),
  };
}

function roundFigures({ mrr, ndcg }: Figures): Figures {
  return { mrr: round(mrr), ndcg: round(ndcg) };
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
