import type { PartitionSequences } from '@stratalog/domain';
import { aspectKey } from '../ledger/ledger';
import type { ChangeRow } from './stored-changes';
import { Violation } from '../ledger/violation';

const KEY_ASPECT = 'datasetKey';
/** The default aspects of a dataset, without its key. */
const DEFAULT_ASPECTS: readonly string[] = ['dataPlatformInstance', 'browsePaths', 'browsePathsV2'];

/** A test's record of its sent values. */
export interface SentValues {
  /** Takes the versions of each aspect in their order; `where` names one. **Errors**: `Violation`. */
  add(row: ChangeRow, where: string): void;
  /** After the last one. **Errors**: `Violation` when a value is missing. */
  finish(): void;
}

export interface ChangeCounts {
  readonly changes: number;
  readonly aspects: number;
  readonly entities: number;
}

/**
 * Compares the change table with the sent values: each partition's `seq` and stamps, each aspect's version
 * numbers, and each aspect's history.
 */
export class ChangeCheck {
  private readonly last = new Map<number, ChangeRow>();
  private readonly versions = new Map<string, number>();
  private readonly keys = new Map<string, number>();
  private changes = 0;

  constructor(private readonly sent: SentValues) {}

  /** Takes the changes in the order of partition and `seq`. **Errors**: `Violation`. */
  add(row: ChangeRow): void {
    const { partition, seq, urn, aspect, version } = row;
    const where = `partition ${partition}, seq ${seq} (${urn} ${aspect} version ${version})`;
    const former = this.last.get(partition);
    if (seq !== (former?.seq ?? 0) + 1)
      throw new Violation('seq', `${where} follows seq ${former?.seq ?? 0}`);
    if (former !== undefined && row.created_ms < former.created_ms) {
      throw new Violation('stamps', `${where} was stamped before the change that it follows`);
    }
    this.last.set(partition, row);
    this.changes++;
    if (aspect === KEY_ASPECT) this.addKey(row, where);
    else if (DEFAULT_ASPECTS.includes(aspect)) this.addDefault(row, where);
    else this.addVersion(row, where);
  }

  /** **Errors**: `Violation`. */
  finish(sequences: PartitionSequences): ChangeCounts {
    for (const partition of new Set([...sequences.keys(), ...this.last.keys()])) {
      const [last, reached] = [sequences.get(partition) ?? 0, this.last.get(partition)?.seq ?? 0];
      if (reached !== last)
        throw new Violation('seq', `partition ${partition} ends at ${reached}, but its last seq is ${last}`);
    }
    this.sent.finish();
    return { changes: this.changes, aspects: this.versions.size, entities: this.keys.size };
  }

  private addKey({ urn, version }: ChangeRow, where: string): void {
    if (version !== 1) throw new Violation('versions', `${where} is a second version of a key aspect`);
    this.keys.set(urn, version);
  }

  /** Written once, in the commit that creates the entity: no writer sends it here. */
  private addDefault({ urn, version }: ChangeRow, where: string): void {
    if (!this.keys.has(urn)) throw new Violation('history', `${where} has no key aspect before it`);
    if (version !== 1) throw new Violation('versions', `${where} is a second version of a default aspect`);
  }

  private addVersion(row: ChangeRow, where: string): void {
    const { urn, aspect, version } = row;
    if (!this.keys.has(urn)) throw new Violation('history', `${where} has no key aspect before it`);
    const key = aspectKey(urn, aspect);
    const former = this.versions.get(key) ?? 0;
    if (version !== former + 1) throw new Violation('versions', `${where} follows version ${former}`);
    this.versions.set(key, version);
    this.sent.add(row, where);
  }
}
