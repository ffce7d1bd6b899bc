import type { QueryNode, SearchField } from '@stratalog/domain';
import { toExactToken, extractWords } from '../analysis/analyze-field';
import { findCompounds, type Compound } from '../analysis/compound';
import { fieldKind } from '../analysis/field-kinds';
import { pathToken } from '../analysis/field-paths';
import { foldText } from '../analysis/fold-text';
import { isVocabularyWord } from '../analysis/vocabulary-word';
import { anyOf } from './query-nodes';
import type { ReadValue } from './read-value';
import { prefixToken } from '../analysis/token';
import { queryForms, wordForms } from '../analysis/word-forms';
import { NO_SYNONYMS, type Synonyms } from '../synonyms/synonyms';

export interface Term extends Pick<ReadValue, 'text' | 'quoted' | 'prefix' | 'infix'> {
  readonly field: SearchField | undefined;
  /** Words that stand for those of the term; absent: none. */
  readonly synonyms?: Synonyms;
}

/** Most phrases that the synonyms of one term make. */
const MAX_PHRASES = 8;

/** A term's node and its number of words. */
export interface Leaf {
  readonly node: QueryNode;
  readonly words: number;
}

/** Builds the node of one term with at most `maxWords` words; `undefined` when the term has no word, like `&`. */
export function buildLeaf(term: Term, maxWords: number): Leaf | undefined {
  const { field, text, quoted, prefix } = term;
  if (field?.meanings !== undefined) return anyMeaning(term, field.meanings, maxWords);
  if (text === '' && prefix && !quoted) {
    return { node: field === undefined ? { kind: 'all' } : { kind: 'exists', field: field.name }, words: 1 };
  }
  if (field !== undefined && fieldKind(field) !== 'text' && !prefix) {
    return { node: { kind: 'exact', field: field.name, token: toExactToken(field, text) }, words: 1 };
  }
  return wordsLeaf(term, maxWords);
}

/** Builds the node of a term that any of the fields meets. */
function anyMeaning(term: Term, fields: readonly SearchField[], maxWords: number): Leaf | undefined {
  const leaves = fields.flatMap((field) => buildLeaf({ ...term, field }, maxWords) ?? []);
  if (leaves.length === 0) return undefined;
  return {
    node: anyOf(leaves.map(({ node }) => node)),
    words: Math.max(...leaves.map(({ words }) => words)),
  };
}

/** Builds the node of the words of a term, in any field that holds words. */
export function wordsLeaf(
  { field, text, quoted, prefix, infix = false, synonyms = NO_SYNONYMS }: Term,
  maxWords: number,
): Leaf | undefined {
  const part = infix ? infixNode({ field, text, prefix }) : undefined;
  if (part !== undefined) return { node: part, words: 1 };
  const compounds: Compound[] = [];
  let words = 0;
  const read = extractWords(text);
  for (const compound of findCompounds(read, maxWords)) {
    compounds.push(compound);
    words += compound.places.length;
    if (words >= maxWords) break;
  }
  const scope = field === undefined ? {} : { field: field.name };
  const tokens = compounds.flatMap(({ places }) => places).slice(0, maxWords);
  if (tokens.length === 0) return undefined;
  const joinedForm = compounds.length === 1 && !quoted ? compounds[0]?.joined : undefined;
  // After a dot or an underscore the word is complete: `sales.*` matches what follows `sales`.
  const isPrefix = prefix && words <= maxWords && (quoted || /[\p{L}\p{N}\p{M}]$/u.test(read.slice(-2)));
  const known = quoted || isPrefix ? NO_SYNONYMS : synonyms;
  const [single, ...others] = tokens;
  if (
    single !== undefined &&
    others.length === 0 &&
    known.of(single).length > 0 &&
    joinedForm === undefined
  ) {
    const forms = [single, ...known.of(single)].flatMap((word) => queryForms(wordForms(word)));
    const node = { kind: 'word', ...scope, anyOf: [...new Set(forms)], synonyms: known.of(single) } as const;
    return { node, words: 1 };
  }
  const [, ...withSynonyms] = readings(tokens, known);
  const phrase = { ...scope, tokens, prefix: isPrefix, exact: quoted };
  const synonymsOfTokens =
    withSynonyms.length === 0 ? {} : { synonyms: tokens.map((token) => known.of(token)) };
  // Names that are written as one word without quotes are found by it.
  const path = isPrefix || words > maxWords || joinedForm !== undefined ? undefined : pathToken(read, tokens);
  const phrases = [
    phraseNode({ ...phrase, ...synonymsOfTokens, ...(path === undefined ? {} : { path }) }),
    ...withSynonyms.map((each) => phraseNode({ ...phrase, tokens: each, isSynonym: true })),
  ];
  if (joinedForm === undefined) return { node: anyOf(phrases), words: tokens.length };
  const asOneWord = isPrefix
    ? phraseNode({ ...scope, tokens: [joinedForm.plain], prefix: true, exact: true })
    : ({ kind: 'word', ...scope, anyOf: queryForms(joinedForm), joins: tokens } as const);
  return { node: { kind: 'or', nodes: [...phrases, asOneWord] }, words: tokens.length };
}

/** Builds the node of `*part*` or `*part`; `undefined` for any other text. */
function infixNode({ field, text, prefix }: Pick<Term, 'field' | 'text' | 'prefix'>): QueryNode | undefined {
  const part = foldText(text).replace(/^\*+/, '').toLowerCase();
  if (!isVocabularyWord(part)) return undefined;
  return { kind: 'infix', ...(field === undefined ? {} : { field: field.name }), part, isEnd: !prefix };
}

/** Lists the ways to write the words with synonyms, the given one first. */
function readings(tokens: readonly string[], synonyms: Synonyms): readonly (readonly string[])[] {
  return tokens.reduce<readonly (readonly string[])[]>(
    (before, token) =>
      [token, ...synonyms.of(token)]
        .flatMap((word) => before.map((words) => [...words, word]))
        .slice(0, MAX_PHRASES),
    [[]],
  );
}

type PhraseNode = Extract<QueryNode, { kind: 'phrase' }>;

interface Phrase extends Omit<PhraseNode, 'kind'> {
  /** True: the tokens are in quotes, or begin a word; a single word matches only in this form. */
  readonly exact: boolean;
}

function phraseNode({ exact, ...phrase }: Phrase): QueryNode {
  const { field, tokens, prefix } = phrase;
  const [first = '', second] = tokens;
  if (prefix) {
    const last = prefixToken(tokens.at(-1) ?? '');
    return { kind: 'phrase', ...phrase, tokens: [...tokens.slice(0, -1), last] };
  }
  if (second !== undefined) return { kind: 'phrase', ...phrase };
  const scope = field === undefined ? {} : { field };
  if (exact) return { kind: 'word', ...scope, anyOf: [first], isQuoted: true };
  return { kind: 'word', ...scope, anyOf: queryForms(wordForms(first)) };
}
