import type { ConsumerProgress } from '@stratalog/ports';

/** Counts the records that are not handled yet. */
export function countLag(progress: ConsumerProgress): number {
  let missing = 0;
  for (const { committedOffset, endOffset } of progress.values())
    missing += Math.max(0, endOffset - committedOffset);
  return missing;
}
