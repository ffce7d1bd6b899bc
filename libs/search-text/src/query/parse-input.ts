import { InvalidRequestError, type QueryNode, type SearchField, type SearchFilter } from '@stratalog/domain';
import type { Synonyms } from '../synonyms/synonyms';
import { joinNeighbours } from './join-neighbours';
import { STRUCTURED_MARK, parseQuery } from './parse-query';
import { readRanges } from './read-ranges';
import { MAX_ALTERNATIVES, splitQuery } from './split-query';

export interface ParsedInput {
  /** The tree that matches satisfy; `all` when `conditions` say it. */
  readonly query: QueryNode;
  /** The words of the query, for the rank of matches and for what they matched. */
  readonly words: QueryNode;
  /** The text of the query without its ranges. */
  readonly text: string;
  /** The ranges of the query. */
  readonly conditions?: SearchFilter;
  /** The searched fields of all types, by name. */
  readonly fields: ReadonlyMap<string, SearchField>;
}

export interface InputOptions {
  /** The searched entity types. */
  readonly entityTypes: readonly { readonly searchFields: ReadonlyMap<string, SearchField> }[];
  readonly synonyms: Synonyms;
  /** True: two neighbouring words may be one; false: the query is taken at its word, like one with the structured mark. */
  readonly joins: boolean;
}

/**
 * Parses a query over entity types.
 *
 * **Errors**: `InvalidRequestError` for a range with a wrong end, and for ranges in too many combinations.
 */
export function parseInput(input: string, { entityTypes, synonyms, joins }: InputOptions): ParsedInput {
  const fields = mergeFields(entityTypes.map(({ searchFields }) => searchFields));
  const read = readRanges(input, fields);
  const { text, ranges, fault } = read;
  if (fault !== undefined) throw new InvalidRequestError(`The query is not valid: ${fault}`);
  if (read.marked === undefined) {
    const parsed = parseQuery(text, fields, synonyms);
    const query = joins && !STRUCTURED_MARK.test(text) ? joinNeighbours(parsed) : parsed;
    return { query, words: query, text, fields, ...(ranges.length === 0 ? {} : { conditions: [ranges] }) };
  }
  const split = splitQuery(read, fields, synonyms);
  if (split === undefined) {
    throw new InvalidRequestError(
      `The query is not valid: its ranges next to OR and within parentheses make more than ${String(MAX_ALTERNATIVES)} combinations`,
    );
  }
  return { query: { kind: 'all' }, words: split.words, text, conditions: split.filter, fields };
}

/** Merges the fields of several types. Of two fields with one name, the first type's counts; a name may mean fields of different names. */
function mergeFields(all: readonly ParsedInput['fields'][]): ParsedInput['fields'] {
  const [first, ...others] = all;
  if (first === undefined) return new Map();
  if (others.length === 0) return first;
  const merged = new Map(first);
  for (const fields of others) {
    for (const [name, field] of fields) {
      const known = merged.get(name);
      if (known === undefined) merged.set(name, field);
      else if (known.name !== field.name) merged.set(name, addMeaning(name, known, field));
    }
  }
  return merged;
}

/** Returns the field of a name that also means another field. */
function addMeaning(name: string, known: SearchField, other: SearchField): SearchField {
  const meanings = known.meanings ?? [known];
  return meanings.some((each) => each.name === other.name)
    ? known
    : { ...known, name, queryByDefault: false, aliases: [], meanings: [...meanings, other] };
}

/** Combines a filter with the conditions of a query. */
export function narrowed(
  filter: SearchFilter | undefined,
  conditions: SearchFilter | undefined,
): { readonly filter?: SearchFilter } {
  if (conditions === undefined) return filter === undefined ? {} : { filter };
  if (filter === undefined) return { filter: conditions };
  return { filter: filter.flatMap((list) => conditions.map((own) => [...list, ...own])) };
}
