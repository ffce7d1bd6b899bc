import type { AspectStore } from '@stratalog/ports';

/** The offsets in the examples of calls on one dead letter: one is shown and replayed, the other discarded. */
const OFFSETS = [1, 2];

/** Adds the dead letters that the documented examples name; the log stays as it is. */
export async function addExampleLetters({ store }: { readonly store: AspectStore }): Promise<void> {
  const actor = 'urn:li:corpuser:admin';
  await store.commit({
    ranges: [],
    reads: [],
    decide: () => ({
      changes: [],
      deletions: [],
      refreshes: [],
      outcomes: [],
      rejections: OFFSETS.map((offset) => ({
        position: { partition: 0, offset },
        reason: 'of the examples',
        cause: 'conflict',
        content: {
          proposal: {
            entityType: 'tag',
            urn: 'urn:li:tag:dead-letter-of-examples',
            aspectName: 'tagProperties',
            changeType: 'UPSERT',
            value: `{"name":"${String(offset)}"}`,
            actor,
          },
        },
      })),
    }),
  });
}
