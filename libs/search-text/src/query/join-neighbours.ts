import type { QueryNode } from '@stratalog/domain';
import { isVocabularyWord } from '../analysis/vocabulary-word';
import { queryForms, wordForms } from '../analysis/word-forms';
import { allOf, anyOf } from './query-nodes';

/** Most parts of a query whose words are joined; longer ones are sentences, and each join costs an engine time. */
const MAX_PARTS = 4;
/** Least letters and digits of two words that may be one. */
const MIN_LETTERS = 5;

/**
 * Lets two words that follow each other also match as one: `back orders` finds `backorders` too. Only words without a field
 * and quotes are joined, and only where all parts of the query must match.
 */
export function joinNeighbours(query: QueryNode): QueryNode {
  if (query.kind !== 'and' || query.nodes.length > MAX_PARTS) return query;
  const joined = query.nodes.slice(1).flatMap((node, at) => {
    const [before, after] = [looseWord(query.nodes[at]), looseWord(node)];
    if (before === undefined || after === undefined) return [];
    const word = before + after;
    if (word.length < MIN_LETTERS || !isVocabularyWord(word)) return [];
    const asOne: QueryNode = {
      kind: 'word',
      anyOf: queryForms(wordForms(word)),
      joins: [before, after],
    };
    return [allOf([...query.nodes.slice(0, at), asOne, ...query.nodes.slice(at + 2)])];
  });
  return anyOf([query, ...joined]);
}

/** The word of a node without a field and quotes. */
function looseWord(node: QueryNode | undefined): string | undefined {
  return node?.kind === 'word' && node.field === undefined && node.isQuoted !== true
    ? node.anyOf[0]
    : undefined;
}
