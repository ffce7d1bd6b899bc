import { content, integer } from '@stratalog/http';
import type { JsonObject } from '@stratalog/model';
import * as z from 'zod';
import type { Reject } from '../filters/read-criteria';
import { MAX_FACETS, type FacetOptions } from './choose-facets';

/** Most values of a facet unless the request says otherwise, and the most that it may ask for. */
const FACET_LIMIT = 20;
const MAX_FACET_LIMIT = 1_000;

const WITHOUT_EFFECT = 'Accepted without effect.';
const unused = z.boolean().default(false).describe(WITHOUT_EFFECT);

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
    fulltext: unused,
    skipCache: unused,
    getSuggestions: unused,
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

type SentAnswering = z.output<z.ZodObject<typeof answering>>;

/** The flags that are true or false. */
const FLAGS = [
  'includeSoftDeleted',
  'skipAggregates',
  'includeDefaultFacets',
  'skipHighlighting',
  'fulltext',
  'skipCache',
  'getSuggestions',
] as const;

/** What `facets` and `searchFlags` ask for. */
export interface SearchFlags {
  readonly includesSoftDeleted: boolean;
  readonly skipsMatchedFields: boolean;
  /** Absent: no facets. */
  readonly facets?: FacetOptions;
}

/** Parses `facets` and `searchFlags`. **Errors**: those of `reject` for a flag of the wrong type. */
export function parseSearchFlags(
  { facets, searchFlags: flags = {} }: Partial<SentAnswering>,
  reject: Reject,
): SearchFlags {
  const set = new Set(FLAGS.filter((name) => parseFlag(flags, name, reject)));
  const limit = parseLimit(flags, reject);
  const named = facets === undefined ? {} : { names: facets, addsDefaults: set.has('includeDefaultFacets') };
  return {
    includesSoftDeleted: set.has('includeSoftDeleted'),
    skipsMatchedFields: set.has('skipHighlighting'),
    ...(set.has('skipAggregates') ? {} : { facets: { ...named, limit } }),
  };
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
