import { UnavailableError } from '@stratalog/domain';
import { ensureIndex } from './ensure-index';
import { writeAlias } from './index-names';
import { buildMetaMappings } from './build-mappings';
import type { SearchEngine } from './search-engine';
import { abortedBy, answered, toFailure, translateError } from './translate-error';

/** The version of the document that was read; absent when the document was missing. */
interface ReadVersion {
  readonly seqNo: number;
  readonly primaryTerm: number;
}

/**
 * Reads and changes a small document of the meta index. Reads by id see every write at once. Changes use compare and
 * swap, so that processes do not undo each other's changes.
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
   * Replaces the document by the result of `change`, which is called again when another process was faster. If it
   * returns the same object, nothing is written.
   */
  async change(change: (source: T | undefined) => T): Promise<T> {
    for (;;) {
      const { source, readVersion } = await this.load();
      const changed = change(source);
      if (changed === source || (await this.save(changed, readVersion))) return changed;
    }
  }

  async remove(): Promise<void> {
    const { client, names } = this.engine;
    await answered(client.delete({ index: writeAlias(names.meta), id: this.id }, { ignore: [404] }));
  }

  private async load(
    signal?: AbortSignal,
  ): Promise<{ readonly source?: T; readonly readVersion?: ReadVersion }> {
    const { client, names } = this.engine;
    try {
      const found = await client.get<T>({ index: names.meta, id: this.id }, abortedBy(signal));
      const { _source: source, _seq_no: seqNo, _primary_term: primaryTerm } = found;
      if (source === undefined || seqNo === undefined || primaryTerm === undefined) {
        throw new UnavailableError(`The search engine answered only a part of the document ${this.id}`);
      }
      return { source, readVersion: { seqNo, primaryTerm } };
    } catch (error) {
      // The document or its index is missing; then everything is built from scratch.
      if (toFailure(error)?.status === 404) return {};
      throw translateError(error);
    }
  }

  /** Returns false when the document has changed since it was read. */
  private async save(document: T, readVersion: ReadVersion | undefined): Promise<boolean> {
    const { client, names } = this.engine;
    const expected =
      readVersion === undefined
        ? { op_type: 'create' as const }
        : { if_seq_no: readVersion.seqNo, if_primary_term: readVersion.primaryTerm };
    const index = writeAlias(names.meta);
    try {
      await client.index({ index, require_alias: true, id: this.id, document, ...expected });
      return true;
    } catch (error) {
      const status = toFailure(error)?.status;
      if (status === 409) return false;
      if (status !== 404) throw translateError(error);
      // The index was removed in the meantime.
      await ensureIndex(client, buildMetaMappings(names.meta));
      return false;
    }
  }
}
