import { content, integer } from '@stratalog/http';
import type { UnknownNames } from '@stratalog/domain';
import type { JsonObject } from '@stratalog/json';
import * as z from 'zod';
import type { Reject } from '../filters/read-criteria';
import { MAX_FACETS, type FacetOptions } from '../facets/choose-facets';
import type { RelaxOptions } from './relax';

/** Most values of a facet unless the request says otherwise, and the most that it may ask for. */
const FACET_LIMIT = 20;
const MAX_FACET_LIMIT = 1_000;

/** Options of searches that newer clients send. */
export const searchFlags = content(
  z.object({
    includeSoftDeleted: z.boolean().default(false).describe('True: includes soft-deleted entities.'),
    skipAggregates: z.boolean().default(false).describe('True: the answer has no facets, and comes sooner.'),
    maxAggValues: integer({ minimum: 1, maximum: MAX_FACET_LIMIT })
      .default(FACET_LIMIT)
      .describe('Most values of a facet.'),
    includeDefaultFacets: z
      .boolean()
      .default(false)
      .describe('True: counts the facets in `facets` and those that are counted without it.'),
    skipHighlighting: z.boolean().default(false).describe('True: `matchedFields` stay empty.'),
    fulltext: z
      .boolean()
      .default(true)
      .describe(
        'False: two neighbouring words do not also match as one, and a query that matches nothing is not relaxed and gets no suggestions.',
      ),
    correctSpelling: z
      .boolean()
      .default(false)
      .describe('True: a query that matches nothing also finds near words. An extension.'),
    fragments: z
      .boolean()
      .default(false)
      .describe(
        'True: each matched field has a `fragment` of its value with the places of the matched words. An extension.',
      ),
    cards: z
      .boolean()
      .default(false)
      .describe(
        'True: `metadata.cards` has what people recognize each entity by: name, subtype, platform, description, owners, tags and domains. An extension.',
      ),
    skipCache: z.boolean().default(false).describe('True: a warning, because no answer comes from a cache.'),
    getSuggestions: z
      .boolean()
      .default(false)
      .describe('Accepted; a query that matches nothing always gets suggestions.'),
  }),
).optional();

/** Parameters that say what an answer holds besides the matches. */
export const answering = {
  facets: z
    .array(z.string())
    .max(MAX_FACETS)
    .optional()
    .describe(
      'Names of the facets to count: fields with a filter, `_entityType`, or two of them with `␞` between. Absent: all fields with a filter, and the types.',
    ),
  searchFlags,
};

/** `searchFlags` of calls that list entities, which have no facets, matched fields or words to relax. */
export const listingFlags = searchFlags.describe('Only `includeSoftDeleted` has an effect.');

type SentAnswering = z.output<z.ZodObject<typeof answering>>;

/** The flags that are true or false. */
const FLAGS = [
  'includeSoftDeleted',
  'skipAggregates',
  'includeDefaultFacets',
  'skipHighlighting',
  'correctSpelling',
  'fragments',
  'cards',
  'skipCache',
  'getSuggestions',
] as const;

/** The parsed members `facets` and `searchFlags`. */
export interface SearchFlags {
  readonly includesSoftDeleted: boolean;
  readonly skipsMatchedFields: boolean;
  readonly marksWords: boolean;
  readonly showsCards: boolean;
  /** Absent: the search takes the query at its word. */
  readonly relaxOptions?: RelaxOptions;
  /** Absent: no facets. */
  readonly facets?: FacetOptions;
}

interface FlagsOfCall {
  readonly reject: Reject;
  /** True: a query of the call that matches nothing is relaxed. */
  readonly mayRelax: boolean;
  /** Takes a sentence about each flag that is set and has no effect on the call. */
  readonly unknown: Pick<UnknownNames, 'reportSentence'>;
}

/** The flags that have an effect only on a call that may relax. */
const OF_RELAXING = ['correctSpelling', 'getSuggestions'] as const;

/** Parses `facets` and `searchFlags`. **Errors**: those of `reject` for a flag of the wrong type. */
export function parseSearchFlags(
  { facets, searchFlags: flags = {} }: Partial<SentAnswering>,
  { reject, mayRelax, unknown }: FlagsOfCall,
): SearchFlags {
  const set = new Set(FLAGS.filter((name) => parseFlag(flags, name, reject)));
  for (const name of ['skipCache', ...(mayRelax ? [] : OF_RELAXING)] as const) {
    if (set.has(name)) unknown.reportSentence(`/searchFlags/${name} has no effect`);
  }
  const isStrict = !parseFlag({ fulltext: true, ...flags }, 'fulltext', reject) || !mayRelax;
  const limit = parseLimit(flags, reject);
  const named = facets === undefined ? {} : { names: facets, addsDefaults: set.has('includeDefaultFacets') };
  return {
    includesSoftDeleted: set.has('includeSoftDeleted'),
    skipsMatchedFields: set.has('skipHighlighting'),
    marksWords: set.has('fragments'),
    showsCards: set.has('cards'),
    ...(isStrict ? {} : { relaxOptions: { correctsSpelling: set.has('correctSpelling') } }),
    ...(set.has('skipAggregates') ? {} : { facets: { ...named, limit } }),
  };
}

/** Parses {@link listingFlags}. **Errors**: those of `reject` for a flag of the wrong type. */
export function parseListingFlags(
  flags: JsonObject = {},
  { reject, unknown }: Omit<FlagsOfCall, 'mayRelax'>,
): Pick<SearchFlags, 'includesSoftDeleted'> {
  const set = new Set(FLAGS.filter((name) => parseFlag(flags, name, reject)));
  // These have no effect either, and a wrong type is a fault nevertheless.
  parseFlag(flags, 'fulltext', reject);
  parseLimit(flags, reject);
  const includesSoftDeleted = set.delete('includeSoftDeleted');
  for (const name of set) unknown.reportSentence(`/searchFlags/${name} has no effect`);
  return { includesSoftDeleted };
}

function parseFlag(flags: JsonObject, name: string, reject: Reject): boolean {
  const flag = flags[name] ?? false;
  if (flag === true || flag === 'true') return true;
  return flag === false || flag === 'false' ? false : reject(`searchFlags/${name}`, 'is not true or false');
}

function parseLimit(flags: JsonObject, reject: Reject): number {
  const sent = flags.maxAggValues ?? FACET_LIMIT;
  const limit = typeof sent === 'string' && /^\d{1,9}$/.test(sent) ? Number(sent) : sent;
  if (typeof limit === 'number' && Number.isInteger(limit) && limit >= 1 && limit <= MAX_FACET_LIMIT)
    return limit;
  return reject('searchFlags/maxAggValues', `is not an integer from 1 to ${String(MAX_FACET_LIMIT)}`);
}
