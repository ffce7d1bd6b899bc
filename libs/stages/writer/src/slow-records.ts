import { proposalsIn, type ProposalEntry } from '@stratalog/model';
import type { Batch } from '@stratalog/ports';

/** Attempts of a record alone before it counts as the cause. A stalled disk, or a lock, may be the cause of the first ones. */
const MAX_ATTEMPTS = 3;
const MAX_BATCH = 10_000;

/**
 * Finds the records whose statements exceed the time limit of the store. Each attempt takes as long as that limit and keeps its locks, so after the
 * first one records are applied one by one, and then twice as many after each success.
 */
export class SlowRecords {
  private most = MAX_BATCH;
  /** The record that took too long alone, and how often in a row. */
  private suspect = { id: '', attempts: 0 };

  /** Most records of the next commit. */
  get maxRecords(): number {
    return this.most;
  }

  committed(records: number): void {
    if (records >= this.most) this.most = Math.min(MAX_BATCH, 2 * this.most);
  }

  /** Counts a commit of the first records of a batch that took too long. True when its only record is to be tried again. */
  timedOut(batch: Batch<ProposalEntry>, records: number): boolean {
    this.most = 1;
    if (records > 1) return false;
    const id = identify(batch);
    this.suspect = { id, attempts: id === this.suspect.id ? this.suspect.attempts + 1 : 1 };
    return this.suspect.attempts < MAX_ATTEMPTS;
  }
}

/** Identifies the first record of a batch; one that the log does not hold yet by its urns. */
function identify({ records: [record], ranges }: Batch<ProposalEntry>): string {
  if (record === undefined) return '';
  const { partition, offset, content } = record;
  const isUnlogged = ranges.some((range) => range.partition === partition && range.unlogged === true);
  if (!isUnlogged || content.kind !== 'decoded') return `${String(partition)}:${String(offset)}`;
  return proposalsIn(content.value)
    .map(({ urn, aspectName }) => `${urn} ${aspectName}`)
    .join('\n');
}
