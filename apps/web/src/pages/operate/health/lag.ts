import type { AnswerOf } from '@stratalog/client';

export type Health = NonNullable<AnswerOf<'GET /operations/health'>>;

/** From here on people should know. **Units**: changes. */
export const MANY = 100;

/** How much a stage has yet to apply, over all partitions. `undefined`: nothing is known of it. **Units**: records of its log. */
export function lagOf({ lags }: Health, stage: string): number | undefined {
  const own = lags.filter((each) => each.stage === stage);
  return own.length === 0 ? undefined : own.reduce((sum, { records }) => sum + records, 0);
}
