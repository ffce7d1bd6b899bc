import type { ChangeKey } from '@stratalog/domain';

/** Number of entities that are cached; each takes about 200 bytes. */
const MAX_ENTITIES = 20_000;

/**
 * Remembers how new the state was that entries were projected from, for the entities that were projected last.
 *
 * An entity is read later than its change is delivered, so its entry includes later changes already. Under a load of
 * timeseries values these would cost a projection each.
 */
export class ProjectedSeqs {
  private readonly seqs = new Map<string, number>();

  /** True when the entry of the entity surely includes the change. */
  includes({ urn, seq }: Pick<ChangeKey, 'urn' | 'seq'>): boolean {
    return seq <= (this.seqs.get(urn) ?? 0);
  }

  note(written: ReadonlyMap<string, number>): void {
    for (const [urn, seq] of written) {
      const known = this.seqs.get(urn) ?? 0;
      this.seqs.delete(urn);
      this.seqs.set(urn, Math.max(known, seq));
    }
    for (const urn of this.seqs.keys()) {
      if (this.seqs.size <= MAX_ENTITIES) return;
      this.seqs.delete(urn);
    }
  }
}
