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
}

/** The document that lists the versions of the search index. */
export const SEARCH_VERSIONS = 'index-versions';

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

  change(id: string, change: (version: RegisteredVersion) => RegisteredVersion): Promise<void> {
    return this.changeAll((all) => all.map((each) => (each.id === id ? change(each) : each)));
  }

  remove(id: string): Promise<void> {
    return this.changeAll((all) => all.filter((each) => each.id !== id));
  }

  async changeAll(
    change: (all: readonly RegisteredVersion[]) => readonly RegisteredVersion[],
  ): Promise<void> {
    await this.registry.change((current) => ({ indexVersions: change(current?.indexVersions ?? []) }));
  }
}
