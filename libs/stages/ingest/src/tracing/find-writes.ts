import { aspectKey } from '@stratalog/domain';
import { inParallel, readEntityPages } from '@stratalog/concurrency';
import type { AspectHistory, AspectRef, AspectStore, DeadLetters } from '@stratalog/ports';
import { hasTrace, type Trace } from './trace-id';

export interface FindingDeps {
  readonly store: Pick<AspectStore, 'identity' | 'readEntities'>;
  readonly history: Pick<AspectHistory, 'listVersions'>;
  readonly deadLetters: Pick<DeadLetters, 'listMarked'>;
}

/** Where a write was found. */
type FoundWrite =
  | { readonly kind: 'active' | 'historic'; readonly seq: number }
  | { readonly kind: 'rejected'; readonly reason: string };

/** What was found, by {@link aspectKey}, and the last sequence numbers of the entities that the store knows. */
export interface FoundWrites {
  readonly found: ReadonlyMap<string, FoundWrite>;
  readonly seqs: ReadonlyMap<string, number>;
}

/** Leaves connections to other calls. */
const READS_AT_ONCE = 4;
/** Processes that stamp a trace and a version may have clocks that differ. **Units**: milliseconds. */
const CLOCK_SLACK_MS = 60_000;
const PAGE = 1_000;

/** Looks for the writes of a trace among the dead letters, and in the store for those that it can have. */
export async function findWrites(
  { store, history, deadLetters }: FindingDeps,
  { id, timeMs }: Trace,
  refs: readonly AspectRef[],
  isStorable: (ref: AspectRef) => boolean,
): Promise<FoundWrites> {
  const found = new Map<string, FoundWrite>();
  const sinceMs = Math.max(0, timeMs - CLOCK_SLACK_MS);
  const wanted = new Set(refs.map(aspectKey));
  for (const { reason, proposals } of await deadLetters.listMarked(id, sinceMs)) {
    for (const { urn, aspectName, systemMetadata } of proposals) {
      const key = aspectKey({ urn, aspectName });
      if (wanted.has(key) && hasTrace(systemMetadata, id)) found.set(key, { kind: 'rejected', reason });
    }
  }
  // Of several writes of one aspect with one trace, a rejected one must not go unnoticed.
  const add = (key: string, write: FoundWrite): void => {
    if (!found.has(key)) found.set(key, write);
  };
  const urns = [...new Set(refs.map(({ urn }) => urn))];
  const storable = refs.filter(isStorable);
  const names = [...new Set(storable.map(({ aspectName }) => aspectName))];
  const seqs = new Map<string, number>();
  for await (const { entities } of readEntityPages(store, urns, { aspectNames: names })) {
    for (const { urn, seq, aspects } of entities) {
      seqs.set(urn, seq);
      for (const { name, systemMetadata } of aspects)
        if (hasTrace(systemMetadata, id)) add(aspectKey({ urn, aspectName: name }), { kind: 'active', seq });
    }
  }
  await inParallel(storable, READS_AT_ONCE, async (ref) => {
    const seq = seqs.get(ref.urn);
    const key = aspectKey(ref);
    if (seq === undefined || found.has(key)) return;
    if (await isInHistory(history, ref, { id, sinceMs })) add(key, { kind: 'historic', seq });
  });
  return { found, seqs };
}

/** Reads the versions of an aspect back to the time of the trace. */
async function isInHistory(
  history: Pick<AspectHistory, 'listVersions'>,
  ref: AspectRef,
  { id, sinceMs }: { readonly id: string; readonly sinceMs: number },
): Promise<boolean> {
  for (let to = Number.MAX_SAFE_INTEGER, hasMore = true; hasMore;) {
    const range = { ...ref, from: 1, to, newestFirst: true, withoutValues: true, limit: PAGE };
    const page = await history.listVersions(range);
    const recent = page?.versions.filter(({ created }) => created.time >= sinceMs) ?? [];
    if (recent.some(({ systemMetadata }) => hasTrace(systemMetadata, id))) return true;
    const last = page?.versions.at(-1);
    hasMore = page?.hasMore === true && recent.length === page.versions.length;
    to = (last?.version ?? 1) - 1;
  }
  return false;
}
