import { UnavailableError } from '@stratalog/model';
import { ensureIndex } from './ensure-index';
import { writeAlias } from './index-names';
import { buildMetaMappings } from './build-mappings';
import type { SearchEngine } from './search-engine';
import { abortedBy, answered, toFailure, translateError } from './translate-error';

/** What a document was when it was read; absent: it was not there. */
interface Seen {
  readonly seqNo: number;
  readonly primaryTerm: number;
}

/**
 * A small document of the meta index. It is read by id, which shows every write at once, and changed by compare and swap, so that
 * processes do not undo each other's changes.
 */
export class MetaDocument<T extends object> {
  constructor(
    private readonly engine: SearchEngine,
    private readonly id: string,
  ) {}

  async read(signal?: AbortSignal): Promise<T | undefined> {
    return (await this.load(signal)).source;
  }

  /**
   * Replaces the document by what `change` makes of it, which is called again when another process was quicker. The very same object
   * back means that there is nothing to do.
   */
  async change(change: (source: T | undefined) => T): Promise<T> {
    for (;;) {
      const { source, seen } = await this.load();
      const changed = change(source);
      if (changed === source || (await this.save(changed, seen))) return changed;
    }
  }

  async remove(): Promise<void> {
    const { client, names } = this.engine;
    await answered(client.delete({ index: writeAlias(names.meta), id: this.id }, { ignore: [404] }));
  }

  private async load(signal?: AbortSignal): Promise<{ readonly source?: T; readonly seen?: Seen }> {
    const { client, names } = this.engine;
    try {
      const found = await client.get<T>({ index: names.meta, id: this.id }, abortedBy(signal));
      const { _source: source, _seq_no: seqNo, _primary_term: primaryTerm } = found;
      if (source === undefined || seqNo === undefined || primaryTerm === undefined) {
        throw new UnavailableError(`The search engine answered only a part of the document ${this.id}`);
      }
      return { source, seen: { seqNo, primaryTerm } };
    } catch (error) {
      // The document is not there, or the index that it was in: then everything is built from nothing.
      if (toFailure(error)?.status === 404) return {};
      throw translateError(error);
    }
  }

  /** Answers false when the document is not what was seen any more. */
  private async save(document: T, seen: Seen | undefined): Promise<boolean> {
    const { client, names } = this.engine;
    const expected =
      seen === undefined
        ? { op_type: 'create' as const }
        : { if_seq_no: seen.seqNo, if_primary_term: seen.primaryTerm };
    const index = writeAlias(names.meta);
    try {
      await client.index({ index, require_alias: true, id: this.id, document, ...expected });
      return true;
    } catch (error) {
      const status = toFailure(error)?.status;
      if (status === 409) return false;
      if (status !== 404) throw translateError(error);
      // Somebody removed the index under us.
      await ensureIndex(client, buildMetaMappings(names.meta));
      return false;
    }
  }
}
