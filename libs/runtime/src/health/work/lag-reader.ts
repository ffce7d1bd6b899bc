import { trackIndexProgress } from '@stratalog/indexing';
import { pause } from '@stratalog/concurrency';
import type { ConsumerProgress, NamedSubscription } from '@stratalog/ports';
import type { CatalogDeps } from '../../catalog/catalog-deps';

/** A consumer of a log, in this process or another. */
export interface LaggedConsumer {
  readonly name: string;
  /** How far all instances of the consumer are together. */
  readonly progress: () => Promise<ConsumerProgress>;
}

/** A reading that takes longer goes on, and the last known progress counts meanwhile. */
const PATIENCE_MS = 2_000;

/**
 * Knows how far consumers are, also while a server does not answer. Each consumer has one reading at a time, so that readings which hang do
 * not pile up.
 */
export class LagReader {
  private readonly known = new Map<string, ConsumerProgress>();
  private readonly reading = new Map<string, Promise<void>>();

  constructor(private readonly consumers: readonly LaggedConsumer[]) {}

  /** Returns the last known progress of each consumer, within two seconds. A consumer that never told its progress is left out. */
  async read(): Promise<ReadonlyMap<string, ConsumerProgress>> {
    const settled = new AbortController();
    const all = Promise.all(this.consumers.map((consumer) => this.refresh(consumer)));
    void all.then(() => {
      settled.abort();
    });
    await Promise.race([all, pause(PATIENCE_MS, settled.signal)]);
    return this.known;
  }

  private refresh({ name, progress }: LaggedConsumer): Promise<void> {
    const under = this.reading.get(name);
    if (under !== undefined) return under;
    const reading = progress()
      .then(
        (found) => void this.known.set(name, found),
        // The consumer's own status reports an unreachable server.
        () => undefined,
      )
      .finally(() => this.reading.delete(name));
    this.reading.set(name, reading);
    return reading;
  }
}

/** Lists the consumers of a process that work on a log. */
export function listOwnLagged(consumers: readonly NamedSubscription[]): readonly LaggedConsumer[] {
  return consumers.flatMap(({ name, progress }) => (progress === undefined ? [] : [{ name, progress }]));
}

/**
 * Lists the consumers whose lag a process reports: its own, and those without which no catalog is up to date, whichever process runs them. A process
 * that hangs cannot tell its lag, and the others still do.
 */
export function listLagged(
  own: readonly NamedSubscription[],
  {
    proposals,
    store,
    searchIndexes,
    graphIndexes,
  }: Pick<CatalogDeps, 'proposals' | 'store' | 'searchIndexes' | 'graphIndexes'>,
): readonly LaggedConsumer[] {
  const owned = listOwnLagged(own);
  const names = new Set(owned.map(({ name }) => name));
  const needed: readonly LaggedConsumer[] = [
    { name: 'writer', progress: () => proposals.progress() },
    { name: 'indexer', progress: trackIndexProgress(searchIndexes, store) },
    { name: 'graph', progress: trackIndexProgress(graphIndexes, store) },
  ];
  return [...owned, ...needed.filter(({ name }) => !names.has(name))];
}
