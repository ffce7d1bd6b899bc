import type { QueryNode, SearchField } from '@stratalog/domain';
import { findCompounds } from '../analysis/compound';
import { extractWords } from '../analysis/analyze-field';
import { buildLeaf } from '../query/build-leaf';
import { FieldNames } from '../query/field-names';
import { complement, STRUCTURED_MARK } from '../query/parse-query';
import { scanQuery } from '../query/scan-query';

/** A query without groups and alternatives. */
export interface PlainQuery {
  /** The words that another word may stand for: without a field, quotes or asterisk. */
  readonly words: readonly string[];
  /** All other parts, which matches must satisfy as they are. */
  readonly required: readonly QueryNode[];
}

/** Most words that are relaxed; later ones are left out. */
const MAX_WORDS = 8;

/** Reads a query as words; `undefined` when it has groups, alternatives, or no such word. */
export function readPlain(text: string, fields: ReadonlyMap<string, SearchField>): PlainQuery | undefined {
  if (STRUCTURED_MARK.test(text)) return undefined;
  const names = FieldNames.of(fields);
  const words: string[] = [];
  const required: QueryNode[] = [];
  let isNegated = false;
  for (const lexeme of scanQuery(text, (name) => names.find(name))) {
    if (lexeme.kind === 'not') isNegated = !isNegated;
    if (lexeme.kind === 'not' || lexeme.kind === 'and') continue;
    if (lexeme.kind !== 'value') return undefined;
    if (lexeme.field !== undefined || lexeme.quoted || lexeme.prefix || lexeme.infix === true || isNegated) {
      const node = buildLeaf(lexeme, MAX_WORDS)?.node;
      if (node !== undefined) required.push(isNegated ? complement(node) : node);
    } else {
      for (const { places } of findCompounds(extractWords(lexeme.text))) words.push(...places);
    }
    isNegated = false;
  }
  return words.length === 0 ? undefined : { words: words.slice(0, MAX_WORDS), required };
}
