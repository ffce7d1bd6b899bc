/** Why a record is a dead letter, in few words that programs compare. */
export const DEAD_LETTER_CAUSES = [
  'unknown-aspect',
  'unknown-entity-type',
  /** Its value or another member does not fit the model. */
  'invalid',
  /** It does not fit what was stored, or a condition of it did not hold. */
  'conflict',
  'undecodable',
  /** The writer failed inside the catalog. */
  'failed',
  /** A former release did not keep more than the reason. */
  'other',
] as const;
export type DeadLetterCause = (typeof DEAD_LETTER_CAUSES)[number];

/** An open letter is neither replayed nor discarded. */
export const DEAD_LETTER_STATES = ['open', 'replayed', 'discarded'] as const;
export type DeadLetterState = (typeof DEAD_LETTER_STATES)[number];
