import type { QueryNode, ScoreCase, ScoreTerm, SearchField } from '@stratalog/domain';
import { queryForms, wordForms } from '../analysis/word-forms';
import { joinName } from '../ranking/names';
import { allOf, anyOf } from '../query/query-nodes';
import { beginningNames, nameCases, wordCases, type UntieredTest } from '../ranking/rank-query';
import { readPlain } from './read-plain';
import type { Synonyms } from '../synonyms/synonyms';
import type { Vocabulary } from './vocabulary';

/** A query that matches more than the one that found nothing. */
export interface Relaxation {
  /**
   * - `similarWords`: for each word, one that begins with it or contains it, or the words that it is made of
   * - `someWords`: only some of the words
   */
  readonly kind: 'similarWords' | 'someWords';
  readonly query: QueryNode;
  readonly ranking: readonly ScoreTerm[];
}

interface RelaxOptions {
  /** True: misspelt words also match the words that are probably meant. */
  readonly correctsSpelling: boolean;
  readonly synonyms: Synonyms;
}

/** Least letters of a word that others may begin with, and of one that others may contain. */
const MIN_PREFIX = 2;
const MIN_PART = 4;
/** Most words that contain a word, and most corrections of one. */
const MAX_CONTAINING = 50;
const MAX_CORRECTIONS = 5;
/** Most words of which half must match; of more words, one is enough. */
const MAX_HALVED = 5;
/** Least letters of a whole query that a name may begin with. */
const MIN_NAME = 4;

/** Parts of the boost of a word for those that stand in for it. */
const PREFIX_PART = 0.5;
const CORRECTION_PART = 0.4;
const CONTAINING_PART = 0.2;
/** Boost of each word that a document has, where some words are enough. */
const ANY_WORD = 10;
const SPLIT_PART = 0.9;

/** The words that stand in for one word of the query. */
interface Operand {
  readonly node: QueryNode;
  readonly cases: readonly ScoreCase[];
}

/**
 * Relaxes a query that matches nothing.
 *
 * **Order and repeats**: the closest relaxation first; none for a query with groups or alternatives.
 */
export function relaxQuery(
  text: string,
  fields: ReadonlyMap<string, SearchField>,
  vocabulary: Vocabulary,
  options: RelaxOptions,
): readonly Relaxation[] {
  const plain = readPlain(text, fields);
  if (plain === undefined) return [];
  const { words, required } = plain;
  const joined = joinNeighbours(words, vocabulary);
  const operands = joined.map((word) => relaxWord(word, vocabulary, options));
  const name = joinName(words) ?? '';
  const meant = joined.map((word) => correctWord(word, vocabulary, options));
  const names = [
    ...nameCases(words),
    // Names that begin with the words that are meant.
    ...nameCases(meant).map((each) => ({ ...each, boost: each.boost * CORRECTION_PART })),
  ];
  const whole = name.length < MIN_NAME ? [] : beginningNames(name);
  const relaxation = (kind: Relaxation['kind'], node: QueryNode, boost: number): Relaxation => ({
    kind,
    query: required.length === 0 ? node : { kind: 'and', nodes: [...required, node] },
    ranking: [{ cases: names }, ...operands.map(({ cases }) => ({ cases: raised(cases, boost) }))],
  });
  const nodes = operands.map(({ node }) => node);
  return [
    relaxation('similarWords', anyOf([...whole, allOf(nodes)]), 0),
    ...countsOfSome(nodes.length).map((count) =>
      relaxation('someWords', anyOf(combinations(nodes, count).map(allOf)), ANY_WORD),
    ),
  ];
}

/** Raises the boosts of a word, so that the number of words decides before the fields that have them. */
function raised(cases: readonly ScoreCase[], boost: number): readonly ScoreCase[] {
  return cases.map((each) => ({ ...each, boost: each.boost + boost }));
}

/** Joins two neighbouring words that the index has as one, like `web` and `site`. */
function joinNeighbours(words: readonly string[], vocabulary: Vocabulary): readonly string[] {
  const joined: string[] = [];
  for (const word of words) {
    const before = joined.at(-1);
    if (
      before !== undefined &&
      vocabulary.has(before + word) &&
      !(vocabulary.has(before) && vocabulary.has(word))
    )
      joined[joined.length - 1] = before + word;
    else joined.push(word);
  }
  return joined;
}

/** Returns the word that is probably meant: the word itself unless it is misspelt. */
function correctWord(word: string, vocabulary: Vocabulary, { correctsSpelling }: RelaxOptions): string {
  if (!correctsSpelling || vocabulary.hasPrefix(word)) return word;
  return vocabulary.near(word, 1)[0]?.word ?? word;
}

function relaxWord(
  word: string,
  vocabulary: Vocabulary,
  { correctsSpelling, synonyms }: RelaxOptions,
): Operand {
  const alternatives: { readonly node: QueryNode; readonly test: UntieredTest; readonly part: number }[] = [];
  const addWords = (anyOfWords: readonly string[], part: number): void => {
    if (anyOfWords.length === 0) return;
    alternatives.push({
      node: { kind: 'word', anyOf: anyOfWords },
      test: { kind: 'word', anyOf: anyOfWords },
      part,
    });
  };
  const meant = [word, ...synonyms.of(word)].flatMap((each) => queryForms(wordForms(each)));
  addWords([...new Set(meant)], 1);
  if (word.length >= MIN_PREFIX) {
    alternatives.push({
      node: { kind: 'phrase', tokens: [word], prefix: true },
      test: { kind: 'prefix', start: word },
      part: PREFIX_PART,
    });
  }
  const isKnown = vocabulary.has(word);
  if (!isKnown && correctsSpelling) {
    const near = vocabulary.near(word, MAX_CORRECTIONS).flatMap((found) => queryForms(wordForms(found.word)));
    addWords([...new Set(near)], CORRECTION_PART);
  }
  if (!isKnown && word.length >= MIN_PART) {
    addWords(vocabulary.containing(word, MAX_CONTAINING), CONTAINING_PART);
  }
  const split = isKnown ? [] : vocabulary.splits(word).map((parts) => splitOperand(parts));
  return {
    node: anyOf([...alternatives.map(({ node }) => node), ...split.map(({ node }) => node)]),
    cases: [
      ...alternatives.flatMap(({ test, part }) => wordCases(test, part)),
      ...split.flatMap(({ cases }) => cases),
    ],
  };
}

function splitOperand(parts: readonly string[]): Operand {
  const forms = parts.map((part) => queryForms(wordForms(part)));
  return {
    node: allOf(forms.map((each) => ({ kind: 'word', anyOf: each }))),
    cases: forms.flatMap((each) => wordCases({ kind: 'word', anyOf: each }, SPLIT_PART)),
  };
}

/** How many words must match, when not all do: half of a few, and then one. */
function countsOfSome(words: number): readonly number[] {
  const half = words <= MAX_HALVED ? Math.ceil(words / 2) : 1;
  return words < 2 ? [] : [...new Set([half, 1])];
}

function combinations<T>(items: readonly T[], count: number): readonly (readonly T[])[] {
  if (count === 0) return [[]];
  return items.flatMap((item, at) =>
    combinations(items.slice(at + 1), count - 1).map((rest) => [item, ...rest]),
  );
}
