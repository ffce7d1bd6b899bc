import { InvalidRequestError, type QueryNode, type SearchRequest } from '@stratalog/domain';
import { listLeaves } from '@stratalog/search-text';
import type { WordsWith } from './statements/to-tsquery';

export type InfixNode = Extract<QueryNode, { kind: 'infix' }>;

/** Most words that one part of a word may stand for. */
const MAX_WORDS = 5_000;

/**
 * Reads the words of an index that each part of a word in the query or in the filter stands for. `select` returns the words that are like a pattern, at
 * most `limit`.
 *
 * **Errors**: `InvalidRequestError` for a part that stands for too many words.
 */
export async function readInfixWords(
  { query, filter = [] }: Pick<SearchRequest, 'query' | 'filter'>,
  select: (pattern: string, limit: number) => Promise<readonly string[]>,
): Promise<WordsWith> {
  const words = new Map<string, readonly string[]>();
  const queries = filter.flat().flatMap((each) => (each.condition === 'query' ? [each.query] : []));
  for (const { leaf: node } of [query, ...queries].flatMap((each) => [...listLeaves(each)])) {
    if (node.kind !== 'infix') continue;
    const pattern = toPattern(node);
    if (!words.has(pattern)) words.set(pattern, await select(pattern, MAX_WORDS + 1));
    if ((words.get(pattern)?.length ?? 0) > MAX_WORDS) {
      throw new InvalidRequestError(
        `*${node.part}${node.isEnd ? '' : '*'} stands for more than ${String(MAX_WORDS)} words of the index; write more letters`,
      );
    }
  }
  return (node) => words.get(toPattern(node)) ?? [];
}

/** A part has letters and digits only, none of which has a meaning in a pattern. */
function toPattern({ part, isEnd }: InfixNode): string {
  return isEnd ? `%${part}` : `%${part}%`;
}
