import { integer, oneOf, text, time } from '@stratalog/http';
import { LINEAGE_DIRECTIONS, didYouMean, parseUrn } from '@stratalog/domain';

/** Longest urn of a column, and more than that of anything else. */
const MAX_URN_BYTES = 2_048;

/** A urn, which becomes a part of paths and of patches: anything else would be a call of another route. */
export const anyUrn = text(MAX_URN_BYTES).superRefine((sent, context) => {
  const parsed = parseUrn(sent);
  if ('fault' in parsed)
    context.addIssue({ code: 'custom', params: { reason: `is no urn: it ${parsed.fault}` } });
});

/** Arguments that several tools take. */
export const urn = anyUrn.describe(
  'Urn of the entity, as search answers it: urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD).',
);
export const column = text(MAX_URN_BYTES)
  .min(1)
  .optional()
  .describe('Path of a column of the entity, as list_columns answers it. Absent: the entity itself.');
export const asOf = time()
  .optional()
  .describe('A time in the past: ISO 8601, such as 2026-11-01T08:00:00Z. Absent: now.');
export const hops = integer({ minimum: 1, maximum: 1_000 });
export const direction = oneOf(LINEAGE_DIRECTIONS, (sent) => ({
  message: `Argument parameter 'direction' value '${sent.slice(0, 100)}' is invalid: it must be one of ${LINEAGE_DIRECTIONS.join(', ')}${didYouMean(sent, LINEAGE_DIRECTIONS)}`,
})).describe('UPSTREAM: what the entity is made from. DOWNSTREAM: what is made from it.');
