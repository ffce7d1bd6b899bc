/** The older states that the servers of a catalog are put back to. */
export const RESTORES = ['kafka-copy', 'topic-made-again', 'postgres-copy', 'engine-copy'] as const;
export type Restore = (typeof RESTORES)[number];
