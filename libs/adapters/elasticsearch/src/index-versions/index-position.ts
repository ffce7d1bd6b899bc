import {
  OffsetConflictError,
  covers,
  maxOffsets,
  parseSequences,
  type PartitionSequences,
} from '@stratalog/domain';
import { ReplacedVersionError } from '@stratalog/ports';
import { MetaDocument } from '../engine/meta-document';
import type { SearchEngine } from '../engine/search-engine';
import { VersionRegistry, type RegisteredVersion } from './version-registry';

/** How long a reading of the checkpoint serves searches. */
const RECENT_MS = 100;

/**
 * The checkpoint of one index version, which the registry keeps with the version. It only moves forward, only after searches see the changes
 * that it covers, and not any more once the version is retired.
 */
export class IndexPosition {
  private readonly registry: VersionRegistry;
  /** The highest reading, and the time of the last. It still holds as a lower bound: the checkpoint only moves forward,
   * unless the engine is put back to an older state. */
  private known: { readonly position: PartitionSequences; readonly atMs: number } | undefined;

  /** `registryId`: the document that lists the versions of this kind of index. */
  constructor(
    private readonly engine: SearchEngine,
    registryId: string,
    private readonly indexVersion: string,
    private readonly nowMs: () => number = () => performance.now(),
  ) {
    this.registry = new VersionRegistry(engine, registryId);
  }

  async read(signal?: AbortSignal): Promise<PartitionSequences> {
    const atMs = this.nowMs();
    const { known } = this;
    const version = (await this.registry.list(signal)).find(({ id }) => id === this.indexVersion);
    const seqs = version?.seqs ?? (await this.formerDocument().read(signal))?.seqs;
    const position = parseSequences(seqs);
    if (isBehind(position, known?.position)) this.known = undefined;
    return this.remember(position, atMs);
  }

  /** Returns the checkpoint of now, or of a tenth of a second before: a search costs the engine no second call then. */
  async readRecent(signal?: AbortSignal): Promise<PartitionSequences> {
    const { known } = this;
    const isRecent = known !== undefined && this.nowMs() - known.atMs < RECENT_MS;
    return isRecent ? known.position : this.read(signal);
  }

  /**
   * Moves the checkpoint forward.
   *
   * **Errors**: `ReplacedVersionError` when the version is retired. `OffsetConflictError` when the stored checkpoint is older than it
   * was: the engine was put back to an older state, and the changes since are to be read again.
   */
  async moveTo(position: PartitionSequences): Promise<void> {
    if (position.size === 0) return;
    const atMs = this.nowMs();
    const { known } = this;
    let moved: PartitionSequences | undefined;
    await this.registry.change(this.indexVersion, (version) => {
      moved = undefined;
      if (version.state === 'retired') return version;
      const reached = parseSequences(version.seqs);
      if (version.seqs !== undefined && isBehind(reached, known?.position)) {
        this.known = undefined;
        throw new OffsetConflictError('The index was put back to an older state');
      }
      moved = maxOffsets(reached, position);
      return version.seqs !== undefined && covers(reached, position)
        ? version
        : { ...version, seqs: Object.fromEntries(moved) };
    });
    if (moved === undefined) throw new ReplacedVersionError();
    this.remember(moved, atMs);
  }

  /** Removes what the registry does not keep. */
  remove(): Promise<void> {
    this.known = undefined;
    return this.formerDocument().remove();
  }

  /** Where versions of an earlier layout have their checkpoint, which answer until they are replaced. */
  private formerDocument(): MetaDocument<Pick<RegisteredVersion, 'seqs'>> {
    return new MetaDocument(this.engine, `position-${this.indexVersion}`);
  }

  /** Returns the highest position that was read. */
  private remember(position: PartitionSequences, atMs: number): PartitionSequences {
    const { known } = this;
    this.known =
      known === undefined
        ? { position, atMs }
        : { position: maxOffsets(known.position, position), atMs: Math.max(known.atMs, atMs) };
    return this.known.position;
  }
}

/** True when the engine has an older checkpoint than it had: that of a snapshot that was restored. */
function isBehind(stored: PartitionSequences, known: PartitionSequences | undefined): boolean {
  return known !== undefined && !covers(stored, known);
}
