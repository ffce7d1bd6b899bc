import {
  Kind,
  Lexer,
  Source,
  TokenKind,
  parse,
  type DefinitionNode,
  type DocumentNode,
  type SelectionSetNode,
} from 'graphql';
import { InvalidRequestError } from '@stratalog/domain';

/** Longest text. Those of clients have up to 25,000. **Units**: characters. */
export const MAX_TEXT = 200_000;
/** Those of clients have up to 6,000. */
const MAX_TOKENS = 12_000;
/** The parser and the executor call themselves for each level. Those of clients have up to 18. */
const MAX_NESTING = 100;
/** Those of clients have up to 30. */
const MAX_DEFINITIONS = 200;
/** Fields of a text when its fragments stand in the place of their names. Those of clients have up to 7,585. */
const MAX_FIELDS = 50_000;
/** Searches, reads and changes of one text. Those of clients have one. */
const MAX_ROOT_FIELDS = 20;
/** How often one object may select the same name: validation compares each with each. */
const MAX_REPEATS = 50;
/** Other names for fields, which repeat values in each object of a list. */
const MAX_ALIASES = 100;
/** Names that one object may select. Those of clients have up to 100. */
const MAX_NAMES = 300;

/**
 * Parses a text after it was seen to be of a size that validation and execution can bear.
 *
 * **Errors**: `InvalidRequestError` that names the limit; `GraphQLError` for a text that is no GraphQL.
 */
export function parseBounded(text: string): DocumentNode {
  rejectOver('characters', text.length, MAX_TEXT);
  rejectDeep(text);
  const document = parse(text, { noLocation: true });
  rejectOver('operations and fragments', document.definitions.length, MAX_DEFINITIONS);
  const aliases = document.definitions.reduce((sum, definition) => sum + rejectRepeats(definition), 0);
  rejectOver('aliases', aliases, MAX_ALIASES);
  rejectManyFields(document);
  return document;
}

function rejectOver(what: string, count: number, maximum: number): void {
  if (count <= maximum) return;
  throw new InvalidRequestError(`The text has more than ${String(maximum)} ${what}`);
}

const OPENING: ReadonlySet<string> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const CLOSING: ReadonlySet<string> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/** Counts tokens and nesting before the parser calls itself for each level. */
function rejectDeep(text: string): void {
  const lexer = new Lexer(new Source(text));
  let depth = 0;
  for (let tokens = 1; lexer.advance().kind !== TokenKind.EOF; tokens++) {
    rejectOver('words and signs', tokens, MAX_TOKENS);
    const { kind } = lexer.token;
    if (OPENING.has(kind)) rejectOver('levels', ++depth, MAX_NESTING);
    else if (CLOSING.has(kind)) depth--;
  }
}

/** Returns the number of aliases. */
function rejectRepeats(definition: DefinitionNode): number {
  if (definition.kind !== Kind.OPERATION_DEFINITION && definition.kind !== Kind.FRAGMENT_DEFINITION) return 0;
  let aliases = 0;
  const open: SelectionSetNode[] = [definition.selectionSet];
  for (let set = open.pop(); set !== undefined; set = open.pop()) {
    const counts = new Map<string, number>();
    const countIn = ({ selections }: SelectionSetNode): void => {
      for (const selection of selections) {
        if (selection.kind === Kind.INLINE_FRAGMENT) {
          countIn(selection.selectionSet);
          continue;
        }
        const name =
          selection.kind === Kind.FIELD
            ? (selection.alias ?? selection.name).value
            : `...${selection.name.value}`;
        if (selection.kind === Kind.FIELD && selection.alias !== undefined) aliases++;
        const count = (counts.get(name) ?? 0) + 1;
        counts.set(name, count);
        rejectOver('names in one object', counts.size, MAX_NAMES);
        rejectOver(`selections of ${name.slice(0, 100)} in one object`, count, MAX_REPEATS);
        if (selection.kind === Kind.FIELD && selection.selectionSet !== undefined)
          open.push(selection.selectionSet);
      }
    };
    countIn(set);
  }
  return aliases;
}

interface FieldCount {
  readonly all: number;
  /** Levels of fields, which fragments add up. */
  readonly depth: number;
  /** Without those inside of others. */
  readonly own: number;
}

const NO_FIELDS: FieldCount = { all: 0, depth: 0, own: 0 };

function rejectManyFields({ definitions }: DocumentNode): void {
  const fragments = new Map(
    definitions.flatMap((each) =>
      each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each.selectionSet] as const] : [],
    ),
  );
  // A fragment that contains itself counts once; validation rejects it.
  const known = new Map<string, FieldCount>();
  const countFragment = (name: string): FieldCount => {
    const before = known.get(name);
    if (before !== undefined) return before;
    known.set(name, NO_FIELDS);
    const set = fragments.get(name);
    const counted = set === undefined ? NO_FIELDS : countSet(set);
    known.set(name, counted);
    return counted;
  };
  const countSet = ({ selections }: SelectionSetNode): FieldCount => {
    let [all, depth, own] = [0, 0, 0];
    for (const selection of selections) {
      const inner =
        selection.kind === Kind.FRAGMENT_SPREAD
          ? countFragment(selection.name.value)
          : selection.selectionSet === undefined
            ? NO_FIELDS
            : countSet(selection.selectionSet);
      const isField = selection.kind === Kind.FIELD;
      all += inner.all + (isField ? 1 : 0);
      own += isField ? 1 : inner.own;
      depth = Math.max(depth, inner.depth + (isField ? 1 : 0));
      rejectOver('fields, with those of its fragments', all, MAX_FIELDS);
      rejectOver('levels', depth, MAX_NESTING);
    }
    return { all, depth, own };
  };
  for (const definition of definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    rejectOver('fields of its operation', countSet(definition.selectionSet).own, MAX_ROOT_FIELDS);
  }
}
