import type { IndexedAnswer } from '@stratalog/indexing';
import type { JsonOutputObject } from '@stratalog/json';
import { toAnswer } from '../search/query-index';
import { computeExplanation, type Explained, type Explanation, type ExplanationDeps } from './explain-search';

/**
 * Explains the score of an entity in the form of the search engine's own explanations, as the original answers them.
 *
 * **Shape**: `{index, id, matched, explanation}`; an explanation is `{value, description, details}`, its details are
 * explanations again.
 *
 * **Errors**: those of `explainSearch`.
 */
export async function explainSearchQuery(
  deps: ExplanationDeps,
  explained: Explained,
): Promise<IndexedAnswer> {
  const { answered, explanation } = await computeExplanation(deps, explained);
  return toAnswer(answered, formatEngineExplanation(explained.entityTypes[0]?.name ?? '', explanation));
}

/** Compares the scores of two entities for one query, as text for people. **Errors**: those of `explainSearch`. */
export async function explainSearchQueryDiff(
  deps: ExplanationDeps,
  { other, ...explained }: Explained & { readonly other: string },
): Promise<IndexedAnswer> {
  const { explanation: left } = await computeExplanation(deps, explained);
  const { answered, explanation: right } = await computeExplanation(deps, { ...explained, urn: other });
  return toAnswer(answered, diffExplanations(left, right));
}

/** Formats an explanation as search engines do. */
export function formatEngineExplanation(
  entityType: string,
  { urn, found, score = 0, reasons, terms }: Explanation,
): JsonOutputObject {
  const detail = (value: number, description: string): JsonOutputObject => ({
    value,
    description,
    details: [],
  });
  return {
    index: `${entityType.toLowerCase()}index_v2`,
    id: encodeURIComponent(urn),
    matched: found,
    explanation: found
      ? {
          value: score,
          description: `${reasons[0] ?? ''} ${reasons.at(-1) ?? ''}`.trim(),
          details: terms.map(({ boost, reason }) => detail(boost, reason)),
        }
      : {
          value: 0,
          description: 'The search does not find the entity.',
          details: reasons.map((reason) => detail(0, reason)),
        },
  };
}

/** Formats two explanations as a difference: lines of the first begin with `-`, those of the second with `+`. */
export function diffExplanations(left: Explanation, right: Explanation): string {
  const [before, after] = [toLines(left), toLines(right)];
  return [
    `--- ${left.urn}`,
    `+++ ${right.urn}`,
    ...before.map((line) => `${after.includes(line) ? ' ' : '-'} ${line}`),
    ...after.filter((line) => !before.includes(line)).map((line) => `+ ${line}`),
    '',
  ].join('\n');
}

function toLines({ found, rank, score = 0, reasons, terms }: Explanation): readonly string[] {
  if (!found) return ['not found', ...reasons];
  return [
    `rank ${String(rank ?? 0)}, score ${String(score)}`,
    ...terms.map(({ boost, reason }) => `${String(boost)}: ${reason}`),
  ];
}
