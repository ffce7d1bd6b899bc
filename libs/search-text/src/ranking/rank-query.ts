import { NAME_FIELD, type QueryNode, type ScoreCase, type ScoreTerm } from '@stratalog/domain';
import { positiveLeaves, type QueryLeaf } from '../query/query-nodes';
import { joinName, MAX_NAME_LENGTH, WHOLE_MARK, withStem } from './names';

/** Boosts of a word by the fields that have it. */
const WORD_BOOSTS = [
  [1, 10],
  [2, 4],
  [3, 2],
  ['any', 1],
] as const;

/** Boost of a name with the word itself, not its stem or a synonym. */
const AS_WRITTEN = 10.5;

/**
 * Boosts of names for each word of the query: of a path that begins with the words, of a name that does, of a name or the
 * last step of a path that equals them, and of a whole name that does. So the order is: equal names, ends of paths, names that
 * begin so, words of names, words elsewhere.
 */
const PATH_BEGINS = 5;
const NAME_BEGINS = 10;
const NAME_EQUALS = 30;
const WHOLE_EQUALS = 31;

/** Boosts of a partial text for the start of a value, and for the whole value; the last blank of the text is not compared. */
const COMPLETION_BEGINS = 1_000;
const COMPLETION_EQUALS = 2_000;

/** Most words that are ranked; more do not separate good matches from better ones. */
const MAX_RANKED_WORDS = 16;
/** Most readings of a query as a name, of which each `OR` has several. */
const MAX_READINGS = 4;

type Words = readonly string[];

/**
 * Lists what the score of a match consists of: words by the fields that have them, and names that equal the query or
 * begin with it. Both engines compute exactly these tests, so that their orders agree.
 */
export function rankQuery(query: QueryNode): readonly ScoreTerm[] {
  const leaves = [...new Set(positiveLeaves(query))];
  const completions = leaves.flatMap((leaf) => (leaf.kind === 'completion' ? completionCases(leaf) : []));
  // Names may begin with the words as written; names that begin with a short synonym are many.
  const names = distinctNames(readings(query)).flatMap((words, at) =>
    nameCases(words).filter((each) => at === 0 || each.isWhole),
  );
  return [
    ...(completions.length === 0 ? [] : [{ cases: completions, isFixed: true } as const]),
    ...(names.length === 0 ? [] : [{ cases: names }]),
    ...distinctTests(leaves.flatMap(toTests))
      .slice(0, MAX_RANKED_WORDS)
      .map((word) => ({ cases: wordCases(withJoined(word, leaves), 1) })),
  ];
}

/**
 * Lists the parts of the score of matches that all begin with a partial text. The scores are those of {@link rankQuery}, but no engine
 * has to test the beginning again.
 */
export function rankStart(start: QueryNode): readonly ScoreTerm[] {
  const cases = positiveLeaves(start).flatMap((leaf) =>
    leaf.kind === 'completion' ? completionCases(leaf).filter(({ isWhole }) => isWhole) : [],
  );
  return cases.length === 0 ? [] : [{ cases, isFixed: true, otherwise: COMPLETION_BEGINS }];
}

/** Lets the words that join a word with a neighbour count as the word itself. */
function withJoined(word: UntieredTest, leaves: readonly QueryLeaf[]): UntieredTest {
  if (word.kind === 'prefix') return word;
  const [plain = ''] = word.anyOf;
  const joined = leaves.flatMap((leaf) =>
    leaf.kind === 'word' && leaf.field === undefined && leaf.joins?.includes(plain) === true
      ? leaf.anyOf
      : [],
  );
  return { ...word, anyOf: [...word.anyOf, ...joined] };
}

function completionCases({
  field,
  start,
}: {
  readonly field: string;
  readonly start: string;
}): readonly CompletionCase[] {
  return [
    { kind: 'completion', field, start: start.trimEnd(), isWhole: true, boost: COMPLETION_EQUALS },
    { kind: 'completion', field, start, isWhole: false, boost: COMPLETION_BEGINS },
  ];
}

type CompletionCase = Extract<ScoreCase, { kind: 'completion' }>;

/** Builds the cases of names that consist of the words, or begin with them. */
export function nameCases(words: readonly string[]): readonly CompletionCase[] {
  const name = joinName(words);
  if (name === undefined) return [];
  const stemmed = joinName(withStem(words)) ?? name;
  const test = (start: string, isWhole: boolean, boost: number): CompletionCase => ({
    kind: 'completion',
    field: NAME_FIELD,
    start,
    isWhole,
    boost,
  });
  return [[WHOLE_MARK, WHOLE_EQUALS, PATH_BEGINS] as const, ['', NAME_EQUALS, NAME_BEGINS] as const].flatMap(
    ([mark, equals, begins]) => [
      // A name is cut at this length, and then several are equal.
      ...(name.length === MAX_NAME_LENGTH ? [] : [test(mark + name, true, equals * words.length)]),
      ...(name.length === MAX_NAME_LENGTH || stemmed === name
        ? []
        : [test(mark + stemmed, true, equals * words.length - 1)]),
      test(mark + name, false, begins * words.length),
    ],
  );
}

/** Builds the nodes that a name meets that begins with the text, or a path that does. */
export function beginningNames(start: string): readonly QueryNode[] {
  return ['', WHOLE_MARK].map((mark) => ({
    kind: 'completion',
    field: NAME_FIELD,
    start: mark + start,
  }));
}

/** Lists the words of a query in order, once for each way to read it. */
function readings(query: QueryNode): readonly Words[] {
  switch (query.kind) {
    case 'word':
      if (query.field !== undefined) return [[]];
      return [...query.anyOf.slice(0, 1), ...(query.synonyms ?? [])].map((word) => [word]);
    case 'phrase':
      return query.field === undefined ? [query.tokens] : [[]];
    case 'and':
      return query.nodes.reduce<readonly Words[]>(
        (before, node) =>
          readings(node)
            .flatMap((after) => before.map((words) => [...words, ...after]))
            .slice(0, MAX_READINGS),
        [[]],
      );
    case 'or':
      return query.nodes.flatMap(readings).slice(0, MAX_READINGS);
    default:
      return [[]];
  }
}

/** Leaves out tests that a query makes twice, as of a word in two alternatives. */
function distinctTests(tests: readonly UntieredTest[]): readonly UntieredTest[] {
  return [...new Map(tests.map((test) => [JSON.stringify(test), test])).values()];
}

/** Leaves out readings that make the same name as one before. */
function distinctNames(all: readonly Words[]): readonly Words[] {
  const names = all.map(joinName);
  return all.filter((_, at) => names.indexOf(names[at]) === at);
}

/** Builds the cases of a word in the fields of each tier, with a part of the boost of a word. */
export function wordCases(test: UntieredTest, part: number): readonly ScoreCase[] {
  const cases = WORD_BOOSTS.map(([tier, boost]): ScoreCase => ({ ...test, tier, boost: boost * part }));
  if (test.kind === 'prefix' || test.anyOf.length === 1) return cases;
  const asWritten = {
    kind: 'word',
    tier: 1,
    anyOf: test.anyOf.slice(0, 1),
    boost: AS_WRITTEN * part,
  } as const;
  return [asWritten, ...cases];
}

/** A test of words in the fields of a tier. */
export type UntieredTest =
  | { readonly kind: 'word'; readonly anyOf: readonly string[] }
  | { readonly kind: 'prefix'; readonly start: string };

function toTests(leaf: QueryLeaf): readonly UntieredTest[] {
  if (leaf.kind === 'word') {
    return leaf.field === undefined && leaf.joins === undefined ? [{ kind: 'word', anyOf: leaf.anyOf }] : [];
  }
  if (leaf.kind !== 'phrase' || leaf.field !== undefined || leaf.isSynonym === true) return [];
  const last = leaf.prefix ? leaf.tokens.length - 1 : -1;
  return leaf.tokens.map((token, at) =>
    at === last
      ? { kind: 'prefix', start: token }
      : { kind: 'word', anyOf: [token, ...(leaf.synonyms?.[at] ?? [])] },
  );
}
