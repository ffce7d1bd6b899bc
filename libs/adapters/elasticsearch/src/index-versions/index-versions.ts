import { randomBytes } from 'node:crypto';
import type { BuildProgress, IndexIdentity } from '@stratalog/ports';
import { LAYOUT } from '../engine/build-mappings';
import { MetaDocument } from '../engine/meta-document';
import type { SearchEngine } from '../engine/search-engine';

/** One version of the search index. */
export interface IndexVersion {
  readonly id: string;
  readonly identity: IndexIdentity;
  readonly layout: number;
  readonly state: 'building' | 'live' | 'retired';
  /** Time at which another version replaced it. Epoch ms. */
  readonly retiredMs?: number;
  /** True for a live version that must be replaced although its identity is current. */
  readonly outdated?: boolean;
  readonly progress?: BuildProgress;
  /**
   * The engine's UUIDs of its indices; an index that was restored or created again has another.
   *
   * **Shape**: by entity type in layouts with an index per type, else one under `ALL_TYPES`.
   */
  readonly indices: Readonly<Record<string, string>>;
}

export const ALL_TYPES = '*';

interface Registry {
  readonly indexVersions: readonly IndexVersion[];
}

/** Lists the index versions in one document, so that activating one is a single step for all processes. */
export class IndexVersions {
  private readonly registry: MetaDocument<Registry>;

  constructor(engine: SearchEngine) {
    this.registry = new MetaDocument(engine, 'index-versions');
  }

  async list(signal?: AbortSignal): Promise<readonly IndexVersion[]> {
    return (await this.registry.read(signal))?.indexVersions ?? [];
  }

  async live(signal?: AbortSignal): Promise<IndexVersion | undefined> {
    return (await this.list(signal)).find(({ state }) => state === 'live');
  }

  /** Returns the unfinished version of this identity, or a new one. */
  async createOrContinue(identity: IndexIdentity): Promise<IndexVersion> {
    const continues = ({ state, layout, identity: own }: IndexVersion): boolean =>
      state === 'building' && layout === LAYOUT && isSame(own, identity);
    const id = randomBytes(4).toString('hex');
    const changed = await this.change((all) => {
      const fresh: IndexVersion = { id, identity, layout: LAYOUT, state: 'building', indices: {} };
      return all.some(continues) ? all : [...all, fresh];
    });
    const version = changed.findLast(continues);
    if (version === undefined) throw new Error('An index version was added but is missing');
    return version;
  }

  /** Makes one version live and retires all others, including unfinished ones. */
  async activate(id: string, nowMs: number): Promise<void> {
    await this.change((all) =>
      all.map(({ retiredMs, ...indexVersion }) =>
        indexVersion.id === id
          ? { ...indexVersion, state: 'live' }
          : { ...indexVersion, state: 'retired', retiredMs: retiredMs ?? nowMs },
      ),
    );
  }

  /** Retires the version; none is live afterwards. */
  async retire(id: string, nowMs: number): Promise<void> {
    await this.changeOne(id, (each) => ({ ...each, state: 'retired', retiredMs: each.retiredMs ?? nowMs }));
  }

  async addIndex(id: string, uuid: string): Promise<void> {
    await this.changeOne(id, (each) => ({ ...each, indices: { ...each.indices, [ALL_TYPES]: uuid } }));
  }

  async markOutdated(id: string): Promise<void> {
    await this.changeOne(id, (each) => ({ ...each, outdated: true }));
  }

  async noteProgress(id: string, progress: BuildProgress): Promise<void> {
    await this.changeOne(id, (each) => ({ ...each, progress }));
  }

  async remove(id: string): Promise<void> {
    await this.change((all) => all.filter((each) => each.id !== id));
  }

  private async changeOne(id: string, change: (one: IndexVersion) => IndexVersion): Promise<void> {
    await this.change((all) => all.map((each) => (each.id === id ? change(each) : each)));
  }

  private async change(
    change: (all: readonly IndexVersion[]) => readonly IndexVersion[],
  ): Promise<readonly IndexVersion[]> {
    const { indexVersions: changed } = await this.registry.change((current) => {
      const indexVersions = change(current?.indexVersions ?? []);
      return current?.indexVersions === indexVersions ? current : { indexVersions };
    });
    return changed;
  }
}

function isSame(a: IndexIdentity, b: IndexIdentity): boolean {
  return a.storeId === b.storeId && a.epoch === b.epoch && a.mapping === b.mapping;
}
