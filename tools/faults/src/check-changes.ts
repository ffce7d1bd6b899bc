import { isDeepStrictEqual } from 'node:util';
import { parseJson, type PartitionOffsets } from '@stratalog/model';
import { faultInHistory, type StoredVersion } from './check-history';
import { aspectKey, type Ledger } from './ledger';
import { numberOfValue, sentValue, type SentAspect } from './sent-value';
import type { ChangeRow } from './stored-changes';
import { Violation } from './violation';

const KEY_ASPECT = 'datasetKey';
/** What a dataset has from its beginning besides its key. */
const DEFAULT_ASPECTS: readonly string[] = ['dataPlatformInstance', 'browsePaths', 'browsePathsV2'];

export interface ChangeCounts {
  readonly changes: number;
  readonly aspects: number;
  readonly entities: number;
}

/**
 * Holds the change table against the ledger: each partition's `seq` and stamps, each aspect's version numbers, and each
 * aspect's history.
 */
export class ChangeCheck {
  private readonly last = new Map<number, ChangeRow>();
  private readonly histories = new Map<string, StoredVersion[]>();
  private readonly keys = new Map<string, number>();
  private changes = 0;

  constructor(private readonly ledger: Ledger) {}

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
  finish(heads: PartitionOffsets): ChangeCounts {
    for (const partition of new Set([...heads.keys(), ...this.last.keys()])) {
      const [head, reached] = [heads.get(partition) ?? 0, this.last.get(partition)?.seq ?? 0];
      if (reached !== head)
        throw new Violation('seq', `partition ${partition} ends at ${reached}, its head is ${head}`);
    }
    for (const aspect of this.ledger.aspects()) {
      const history = this.histories.get(aspectKey(aspect.urn, aspect.aspectName)) ?? [];
      const fault = faultInHistory(aspect, history);
      if (fault !== undefined) throw new Violation('history', `${aspect.urn} ${aspect.aspectName}: ${fault}`);
    }
    return { changes: this.changes, aspects: this.histories.size, entities: this.keys.size };
  }

  private addKey({ urn, version }: ChangeRow, where: string): void {
    if (version !== 1) throw new Violation('versions', `${where} is a second version of a key aspect`);
    this.keys.set(urn, version);
  }

  /** Written once, in the commit that makes the entity: nobody sends it here. */
  private addDefault({ urn, version }: ChangeRow, where: string): void {
    if (!this.keys.has(urn)) throw new Violation('history', `${where} has no key aspect before it`);
    if (version !== 1) throw new Violation('versions', `${where} is a second version of a default aspect`);
  }

  private addVersion({ partition, seq, urn, aspect, version, value }: ChangeRow, where: string): void {
    const sends = this.ledger.get(urn, aspect);
    if (sends === undefined) throw new Violation('history', `${where} was sent by nobody`);
    if (!this.keys.has(urn)) throw new Violation('history', `${where} has no key aspect before it`);
    const key = aspectKey(urn, aspect);
    const history = this.histories.get(key) ?? [];
    this.histories.set(key, history);
    if (version !== history.length + 1) {
      throw new Violation('versions', `${where} follows version ${history.length}`);
    }
    const number = numberOfValue(aspect, value);
    history.push({ partition, seq, value: number });
    if (number === undefined || !isValue(sends.aspectName, number, value)) {
      throw new Violation(
        'values',
        `${where} holds another value than any that was sent: ${value.slice(0, 300)}`,
      );
    }
  }
}

function isValue(aspect: SentAspect, number: number, text: string): boolean {
  return isDeepStrictEqual(parseJson(text), sentValue(aspect, number));
}
