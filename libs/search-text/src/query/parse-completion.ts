import type { QueryNode, SearchField } from '@stratalog/domain';
import { foldCompletion } from '../analysis/completions';
import { wordsLeaf } from './build-leaf';
import { anyOf } from './query-nodes';

/** Most words of a text for autocompletion that are compared; people type fewer. */
const MAX_TERMS = 16;

/**
 * Parses the text that a person has typed so far. It has no operators.
 *
 * The tree matches a value of one of `fields` that begins with the text, and a document that has all its words in these
 * fields, in any order; the last word may be a prefix unless a blank follows it.
 */
export function parseCompletion(text: string, fields: readonly SearchField[]): QueryNode {
  const start = foldCompletion(text);
  if (start === '') return { kind: 'none' };
  const terms = start.trimEnd().split(' ').slice(0, MAX_TERMS);
  const words = terms.map((term, at): QueryNode => {
    const prefix = at === terms.length - 1 && !start.endsWith(' ');
    const leaves = fields.map(
      (field) => wordsLeaf({ field, text: term, quoted: false, prefix }, MAX_TERMS)?.node,
    );
    return anyOf(leaves.filter((leaf) => leaf !== undefined));
  });
  return anyOf([...startLeaves(start, fields), { kind: 'and', nodes: words }]);
}

/**
 * Builds the part of {@link parseCompletion} that matches a value which begins with the text. Its matches rank before all others.
 *
 * It matches nothing for a text with a blank at its end: the value that equals the text has none, and does not begin with it.
 */
export function parseStart(text: string, fields: readonly SearchField[]): QueryNode {
  const start = foldCompletion(text);
  return anyOf(start === '' || start.endsWith(' ') ? [] : startLeaves(start, fields));
}

function startLeaves(start: string, fields: readonly SearchField[]): readonly QueryNode[] {
  return fields.map(({ name }) => ({ kind: 'completion', field: name, start }));
}
