import { createHash } from 'node:crypto';
import { StratalogError, covers, type ChangeKey } from '@stratalog/model';
import type {
  Batch,
  ChangeLog,
  Consumption,
  ConsumptionStatus,
  IndexIdentity,
  SearchIndex,
  SearchIndexes,
  Verdict,
} from '@stratalog/ports';
import { ANALYSIS_VERSION } from '@stratalog/search-text';
import { indexEntities, rebuildIndex, type IndexingParts } from './index-entities';

export interface IndexerParts extends IndexingParts {
  readonly changes: ChangeLog;
  readonly searchIndexes: SearchIndexes;
}

/** Changes handled at once; several of one urn cost one document. */
const MAX_CHANGES = 1_600;

/**
 * Keeps the search index a function of the store.
 *
 * At its start it looks at the live index. One made from the same store, model and analysis is continued. Otherwise a new one is
 * filled beside it, while the old one goes on answering, and takes its place once it has caught up with the store.
 */
export class SearchIndexer implements Consumption {
  private target: SearchIndex | undefined;
  private isLive = false;
  private log: Consumption | undefined;
  private building: string | undefined;

  constructor(private readonly parts: IndexerParts) {}

  async start(): Promise<void> {
    const identity = this.identity();
    const live = await this.parts.searchIndexes.live();
    this.isLive = live !== undefined && isSame(live.identity, identity);
    const target = this.isLive && live !== undefined ? live : await this.parts.searchIndexes.create(identity);
    this.target = target;
    this.log = this.parts.changes.consume(
      { name: 'indexer', after: () => target.position(), maxRecords: MAX_CHANGES },
      (batch) => this.handle(target, batch),
    );
    if (!this.isLive) await this.build(target);
    await this.log.start();
  }

  async stop(): Promise<void> {
    await this.log?.stop();
  }

  status(): ConsumptionStatus {
    if (this.building !== undefined) return { state: 'starting', reason: this.building };
    return this.log?.status() ?? { state: 'stopped' };
  }

  private identity(): IndexIdentity {
    const { storeId, epoch } = this.parts.store.identity;
    const mapping = createHash('sha256')
      .update(`${this.parts.registry.searchFingerprint}\n${ANALYSIS_VERSION}`)
      .digest('hex');
    return { storeId, epoch, mapping };
  }

  private async build(target: SearchIndex): Promise<void> {
    this.building = 'building the search index';
    if ((await target.position()).size === 0) await rebuildIndex(this.parts, target);
    await this.promoteWhenCaughtUp(target);
  }

  private async handle(target: SearchIndex, batch: Batch<ChangeKey>): Promise<Verdict<void>> {
    const urns = new Set<string>();
    for (const { content } of batch.records) if (content.kind === 'decoded') urns.add(content.value.urn);
    try {
      await indexEntities(
        this.parts,
        target,
        [...urns],
        new Map(batch.ranges.map(({ partition, to }) => [partition, to])),
      );
      await this.promoteWhenCaughtUp(target);
      return { kind: 'done', results: [] };
    } catch (error) {
      if (error instanceof StratalogError && error.retryable) return { kind: 'retry', cause: error };
      throw error;
    }
  }

  private async promoteWhenCaughtUp(target: SearchIndex): Promise<void> {
    if (this.isLive || !covers(await target.position(), await this.parts.store.head())) return;
    await this.parts.searchIndexes.promote(target);
    this.isLive = true;
    this.building = undefined;
  }
}

function isSame(a: IndexIdentity, b: IndexIdentity): boolean {
  return a.storeId === b.storeId && a.epoch === b.epoch && a.mapping === b.mapping;
}
