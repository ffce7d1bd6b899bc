import type { IndexVersion } from '@stratalog/ports';
import { MetaDocument } from '../engine/meta-document';
import type { SearchEngine } from '../engine/search-engine';

/** One version of an index, as the registry stores it. */
export interface RegisteredVersion extends Pick<
  IndexVersion,
  'id' | 'identity' | 'layout' | 'state' | 'retiredMs' | 'progress'
> {
  readonly outdated?: boolean;
  readonly held?: boolean;
  readonly heartbeats?: number;
  readonly builder?: string | undefined;
  /**
   * The engine's UUIDs of its indices, with commas between, once the version is created. An index that was restored or created
   * again has another.
   */
  readonly uuid?: string;
  /** The checkpoint: the last `seq` by partition. It lies here, so that one step compares it with another and activates a version. */
  readonly seqs?: Readonly<Record<string, number>>;
}

/** The documents that list the versions of the search index, and of the index of timeseries values. */
export const SEARCH_VERSIONS = 'index-versions';
export const TIMESERIES_VERSIONS = 'timeseries-index-versions';

interface Registry {
  readonly indexVersions: readonly RegisteredVersion[];
}

/** Lists the index versions in one document, so that activating one is a single step for all processes. */
export class VersionRegistry {
  private readonly registry: MetaDocument<Registry>;

  /** `id`: the document that lists the versions of one kind of index. */
  constructor(engine: SearchEngine, id: string) {
    this.registry = new MetaDocument(engine, id);
  }

  async list(signal?: AbortSignal): Promise<readonly RegisteredVersion[]> {
    return (await this.registry.read(signal))?.indexVersions ?? [];
  }

  add(version: RegisteredVersion): Promise<void> {
    return this.changeAll((all) => [...all, version]);
  }

  /** Writes nothing when `change` returns the same version. */
  change(id: string, change: (version: RegisteredVersion) => RegisteredVersion): Promise<void> {
    return this.changeAll((all) => {
      const changed = all.map((each) => (each.id === id ? change(each) : each));
      return changed.every((each, at) => each === all[at]) ? all : changed;
    });
  }

  remove(id: string): Promise<void> {
    return this.changeAll((all) => all.filter((each) => each.id !== id));
  }

  /** Writes nothing when `change` returns the same list. */
  async changeAll(
    change: (all: readonly RegisteredVersion[]) => readonly RegisteredVersion[],
  ): Promise<void> {
    await this.registry.change((current = { indexVersions: [] }) => {
      const indexVersions = change(current.indexVersions);
      return indexVersions === current.indexVersions ? current : { indexVersions };
    });
  }
}
