import { parseSequences } from '@stratalog/domain';
import type {
  AspectStore,
  BuildCheckpoint,
  BuildProgress,
  TimeseriesValueRef,
  VersionedIndex,
} from '@stratalog/ports';

/** Number of entities per page of reads and writes, unless the caller says less. The store cuts a page of large entities further. */
const PAGE = 200;

export interface ScanOptions {
  readonly signal?: AbortSignal;
}

interface PagedOptions {
  /** Number of entities of the next page. */
  readonly pageSize?: () => number;
}

export interface BuildOptions extends ScanOptions {
  /** Where an interrupted build continues. */
  readonly from?: BuildProgress | undefined;
  /** Called after each page with the number of entities written so far, and with the checkpoint after it. */
  readonly onPage?: (done: number, checkpoint: BuildCheckpoint) => Promise<void>;
}

/** A page of the urns of the store, in byte order. */
export interface UrnRange {
  readonly urns: readonly string[];
  /** The urn before the first. */
  readonly after: string | undefined;
  readonly last: string;
}

/** A page of entities of a build. */
export interface BuildPage extends UrnRange {
  /** The value of the first entity up to which an interrupted build has written it. */
  readonly writtenUpTo: TimeseriesValueRef | undefined;
}

/** Writes a page. `onPart` is called when everything up to a value of one of its entities is written. */
type WritePage = (onPart: (writtenUpTo: TimeseriesValueRef) => Promise<void>) => Promise<void>;

/**
 * Fills an index, or the rest of an unfinished one, with the entries that `preparePage` reads for pages of entities and that the
 * function it returns writes, until `signal` aborts. The next page is prepared while one is being written.
 *
 * It reads the store's partition sequences first. The follower then indexes every change during the scan again from the change log. A
 * build that continues keeps those of its beginning, so that no change in between is missing.
 */
export async function fillByUrns(
  store: AspectStore,
  index: VersionedIndex<never>,
  {
    signal,
    from,
    onPage,
    pageSize,
    preparePage,
  }: BuildOptions & PagedOptions & { readonly preparePage: (page: BuildPage) => Promise<WritePage> },
): Promise<void> {
  const resume = from?.resume;
  const sequences =
    resume === undefined ? await store.readPartitionSequences() : parseSequences(resume.position);
  const position = Object.fromEntries(sequences);
  let done = resume === undefined ? 0 : (from?.done ?? 0);
  let writing: Promise<void> = Promise.resolve();
  const write = async ({ urns, after = '', last }: UrnRange, writePage: WritePage): Promise<void> => {
    await writePage(async (writtenUpTo) => {
      // An entity that was created during the page is not among its urns.
      const complete = Math.max(urns.indexOf(writtenUpTo.urn), 0);
      await onPage?.(done + complete, { after: urns[complete - 1] ?? after, position, writtenUpTo });
    });
    done += urns.length;
    await onPage?.(done, { after: last, position });
  };
  let writtenUpTo = resume?.writtenUpTo;
  try {
    const isDone = await scanStore(store, { signal, after: resume?.after, pageSize }, async (page) => {
      const writePage = await preparePage({ ...page, writtenUpTo });
      writtenUpTo = undefined;
      await writing;
      writing = write(page, writePage);
      // The next await reports the failure. Until then this handler keeps the rejection from being unhandled.
      writing.catch(() => undefined);
    });
    await writing;
    if (isDone) await index.write([], sequences);
  } finally {
    await writing.catch(() => undefined);
  }
}

/**
 * Passes the urns of all entities after one to `work`, page by page. Returns false when `signal` aborted the scan.
 */
export async function scanStore(
  store: AspectStore,
  {
    signal,
    after,
    pageSize = () => PAGE,
  }: {
    readonly signal?: AbortSignal | undefined;
    readonly after?: string | undefined;
    readonly pageSize?: (() => number) | undefined;
  },
  work: (page: UrnRange) => Promise<void>,
): Promise<boolean> {
  let from = after;
  while (signal?.aborted !== true) {
    const urns = await store.urnsAfter(from, pageSize());
    const last = urns.at(-1);
    if (last === undefined) return true;
    await work({ urns, after: from, last });
    from = last;
  }
  return false;
}
