import { fail, flag, integer, long, oneOf, time } from '@stratalog/http';
import {
  LINEAGE_DIRECTIONS,
  LINEAGE_LEVELS,
  didYouMean,
  parseUrn,
  type LineageDirection,
  type LineageLevel,
} from '@stratalog/domain';
import type { LineageQuery } from '@stratalog/lineage';
import * as z from 'zod';

/** Most hops of a request, and those of a search unless the request says otherwise. A walk ends earlier where lineage ends, or at its limits. */
export const ALL_HOPS = 1_000;
/** Most entities that a request may let each hop follow. */
export const MAX_FOLLOWED = 20_000;

/** Any well-formed urn; the use case checks its type against the model. */
export const lineageUrn = z
  .string()
  .superRefine((sent, context) => {
    const parsed = parseUrn(sent);
    if ('fault' in parsed) fail(context, { message: `Invalid urn ${sent}: ${parsed.fault}` });
  })
  .describe('The entity or column at which lineage starts.');

function word<Word extends string>(name: string, words: readonly Word[]) {
  return oneOf(words, (sent) => ({
    message: `Parameter '${name}' is "${sent.slice(0, 100)}"; allowed: ${words.join(', ')}${didYouMean(sent, words)}`,
  }));
}

export const maxHops = integer({ minimum: 1, maximum: ALL_HOPS });

export const lineageDirection = word('direction', LINEAGE_DIRECTIONS);

export const asOf = time()
  .optional()
  .describe(
    'The lineage at this time, as the history of the store tells it: ISO 8601 or epoch milliseconds; a day is its start in UTC. Absent: now.',
  );

/** Parameters that say which lineage to follow. */
export const following = {
  direction: lineageDirection.describe(
    '`UPSTREAM`: to what the entity is made from. `DOWNSTREAM`: to what is made from it.',
  ),
  maxHops: maxHops.default(1).describe('Most hops from the entity.'),
  level: word('level', LINEAGE_LEVELS)
    .optional()
    .describe(
      '`ENTITY`: lineage between entities; of a column: its lineage with columns replaced by their entities. `COLUMN`: lineage between columns; of an entity: that of all its columns. Absent: as the urn is.',
    ),
  startTimeMillis: long({ minimum: 0 })
    .optional()
    .describe('Only edges that were still seen at this time or later. Epoch milliseconds.'),
  endTimeMillis: long({ minimum: 0 })
    .optional()
    .describe('Only edges that were created at this time or earlier. Epoch milliseconds.'),
  entitiesExploredPerHopLimit: integer({ minimum: 1, maximum: MAX_FOLLOWED })
    .optional()
    .describe('Most entities that are followed in each hop.'),
  includeSoftDeleted: flag()
    .default(false)
    .describe('True: soft-deleted entities are included, and what only they lead to.'),
  includeMissing: flag()
    .default(true)
    .describe('False: entities that the store does not have are left out, and what only they lead to.'),
};

interface SentFollowing {
  readonly direction: LineageDirection;
  readonly maxHops: number;
  readonly level?: LineageLevel | undefined;
  readonly startTimeMillis?: number | undefined;
  readonly endTimeMillis?: number | undefined;
  readonly entitiesExploredPerHopLimit?: number | undefined;
  readonly includeSoftDeleted: boolean;
  readonly includeMissing: boolean;
}

/** A query without its urn; an absent level is that of the urn. */
export type Following = Omit<LineageQuery, 'urn' | 'level'> & { readonly level: LineageLevel | undefined };

export function toFollowing({
  direction,
  maxHops,
  level,
  startTimeMillis: fromMs,
  endTimeMillis: toMs,
  entitiesExploredPerHopLimit: followedPerHop,
  includeSoftDeleted,
  includeMissing,
}: SentFollowing): Following {
  return {
    direction,
    maxHops,
    level,
    ...(fromMs === undefined ? {} : { fromMs }),
    ...(toMs === undefined ? {} : { toMs }),
    ...(followedPerHop === undefined ? {} : { followedPerHop }),
    includesSoftDeleted: includeSoftDeleted,
    includesMissing: includeMissing,
  };
}

/** Rejects a time range that ends before it starts. */
export function rejectEmptyRange(
  { startTimeMillis = 0, endTimeMillis = Infinity }: Pick<SentFollowing, 'startTimeMillis' | 'endTimeMillis'>,
  context: z.RefinementCtx,
): void {
  if (startTimeMillis <= endTimeMillis) return;
  fail(context, { reason: 'is before startTimeMillis' }, ['endTimeMillis']);
}
