import type { estypes } from '@elastic/elasticsearch';
import type { QueryNode } from '@stratalog/domain';
import { phraseTexts } from '../engine/place-slots';
import { completionToken, placedScope, scoped } from '../documents/token-scope';

export type EngineQuery = estypes.QueryDslQueryContainer;

/**
 * Maximum nesting before a part is wrapped. Engines reject queries with more than 20 or 30 levels, and count a wrapped
 * part separately. A phrase and the search around it add some levels.
 */
const LEVELS_PER_WRAPPER = 12;

/** Maximum number of words for a prefix at the end of a phrase: all that an index can have. */
const MAX_EXPANSIONS = 10_000_000;

/** Translates the query tree into a filter that passes the same documents as `matches` of search-text. */
export function toQuery(node: QueryNode, level = 1): EngineQuery {
  if (level >= LEVELS_PER_WRAPPER && 'nodes' in node) return wrap(toQuery(node));
  switch (node.kind) {
    case 'all':
      return { match_all: {} };
    case 'none':
      return { match_none: {} };
    case 'word':
      return termsQuery(node.anyOf.map((token) => scoped(node.field, token)));
    case 'phrase':
      return phraseQuery(node);
    case 'infix':
      return { regexp: { tokens: { value: infixPattern(node), flags: 'INTERSECTION' } } };
    case 'exact':
      return termsQuery([scoped(node.field, node.token)]);
    case 'exists':
      return termsQuery([scoped(node.field, '')]);
    case 'completion':
      return { prefix: { tokens: { value: completionToken(node.field, node.start) } } };
    case 'and':
      return { bool: { filter: node.nodes.map((each) => toQuery(each, level + 1)) } };
    case 'or':
      return anyOf(node.nodes.map((each) => toQuery(each, level + 1)));
    case 'not':
      return { bool: { must_not: [toQuery(node.node, level + 1)] } };
    default:
      return node satisfies never;
  }
}

/** Builds the pattern of the words that contain a part: those that have it and are words of the vocabulary. */
function infixPattern({ field, part, isEnd }: Extract<QueryNode, { kind: 'infix' }>): string {
  const scope = scoped(field, '').replaceAll(/[^A-Za-z0-9]/g, String.raw`\$&`);
  return `${field === undefined ? '' : scope}((.*${part}${isEnd ? '' : '.*'})&([a-z0-9]{2,40}))`;
}

export function termsQuery(tokens: readonly string[]): EngineQuery {
  const [first = ''] = tokens;
  return tokens.length === 1 ? { term: { tokens: { value: first } } } : { terms: { tokens: [...tokens] } };
}

function phraseQuery({ field, tokens, prefix, path }: Extract<QueryNode, { kind: 'phrase' }>): EngineQuery {
  const [first = '', second] = tokens;
  if (second === undefined) {
    const token = scoped(field, first);
    return prefix ? { prefix: { tokens: { value: token } } } : termsQuery([token]);
  }
  const texts = phraseTexts(tokens, placedScope(field));
  return anyOf([
    ...texts.map((query): EngineQuery =>
      prefix
        ? { match_phrase_prefix: { places: { query, max_expansions: MAX_EXPANSIONS } } }
        : { match_phrase: { places: { query } } },
    ),
    ...(path === undefined ? [] : [termsQuery([scoped(field, path)])]),
  ]);
}

export function anyOf(queries: readonly EngineQuery[]): EngineQuery {
  return { bool: { should: [...queries], minimum_should_match: 1 } };
}

function wrap(query: EngineQuery): EngineQuery {
  return { wrapper: { query: Buffer.from(JSON.stringify(query)).toString('base64') } };
}
