import { flag, integer, members, withValue, withoutValue } from '@stratalog/http';
import type { UnknownNames } from '@stratalog/domain';
import * as z from 'zod';
import { MAX_FACETS, type FacetOptions } from '../facets/choose-facets';
import type { RelaxOptions } from './relax';

/** Most values of a facet unless the request says otherwise, and the most that it may ask for. */
const FACET_LIMIT = 20;
const MAX_FACET_LIMIT = 1_000;

const FLAG = flag(withoutValue);

/** Options of searches that newer clients send. */
const flags = members(
  {
    includeSoftDeleted: FLAG.default(false).describe('True: includes soft-deleted entities.'),
    skipAggregates: FLAG.default(false).describe('True: the answer has no facets, and comes sooner.'),
    maxAggValues: integer({ minimum: 1, maximum: MAX_FACET_LIMIT }, withoutValue)
      .default(FACET_LIMIT)
      .describe('Most values of a facet.'),
    includeDefaultFacets: FLAG.default(false).describe(
      'True: counts the facets in `facets` and those that are counted without it.',
    ),
    skipHighlighting: FLAG.default(false).describe('True: `matchedFields` stay empty.'),
    fulltext: FLAG.default(true).describe(
      'False: two neighbouring words do not also match as one, and a query that matches nothing is not relaxed and gets no suggestions.',
    ),
    correctSpelling: FLAG.default(false).describe(
      'True: a query that matches nothing also finds near words. An extension.',
    ),
    fragments: FLAG.default(false).describe(
      'True: each matched field has a `fragment` of its value with the places of the matched words. An extension.',
    ),
    cards: FLAG.default(false).describe(
      'True: `metadata.cards` has what people recognize each entity by: name, subtype, platform, description, owners, tags and domains. An extension.',
    ),
    skipCache: FLAG.default(false).describe('True: a warning, because no answer comes from a cache.'),
    getSuggestions: FLAG.default(false).describe(
      'Accepted; a query that matches nothing always gets suggestions.',
    ),
  },
  { wording: withValue },
);

export const searchFlags = flags.optional();
/** The flags of a search that names none. */
export const NO_FLAGS = flags.parse({});

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
  /** True: a query of the call that matches nothing is relaxed. */
  readonly mayRelax: boolean;
  /** Takes a sentence about each flag that is set and has no effect on the call. */
  readonly unknown: Pick<UnknownNames, 'reportSentence'>;
}

/** The flags that have an effect only on a call that may relax. */
const OF_RELAXING = ['correctSpelling', 'getSuggestions'] as const;

/** Tells what `facets` and `searchFlags` mean for a call, and reports flags without an effect. */
export function toSearchFlags(
  { facets, searchFlags: sent = NO_FLAGS }: Partial<SentAnswering>,
  { mayRelax, unknown }: FlagsOfCall,
): SearchFlags {
  for (const name of ['skipCache', ...(mayRelax ? [] : OF_RELAXING)] as const) {
    if (sent[name]) unknown.reportSentence(`/searchFlags/${name} has no effect`);
  }
  const limit = sent.maxAggValues;
  const named = facets === undefined ? {} : { names: facets, addsDefaults: sent.includeDefaultFacets };
  return {
    includesSoftDeleted: sent.includeSoftDeleted,
    skipsMatchedFields: sent.skipHighlighting,
    marksWords: sent.fragments,
    showsCards: sent.cards,
    ...(sent.fulltext && mayRelax ? { relaxOptions: { correctsSpelling: sent.correctSpelling } } : {}),
    ...(sent.skipAggregates ? {} : { facets: { ...named, limit } }),
  };
}

/** The flags that a listing obeys, or that say nothing when they are set. */
const OF_LISTING: readonly string[] = ['includeSoftDeleted', 'fulltext'];

/** The same for {@link listingFlags}. */
export function toListingFlags(
  sent: z.output<typeof flags> = NO_FLAGS,
  { unknown }: Omit<FlagsOfCall, 'mayRelax'>,
): Pick<SearchFlags, 'includesSoftDeleted'> {
  for (const [name, value] of Object.entries(sent)) {
    if (value === true && !OF_LISTING.includes(name)) {
      unknown.reportSentence(`/searchFlags/${name} has no effect`);
    }
  }
  return { includesSoftDeleted: sent.includeSoftDeleted };
}
