import { randomBytes } from 'node:crypto';
import type { BuildProgress, IndexIdentity } from '@stratalog/ports';
import { LAYOUT } from './mappings-of';
import { MetaDocument } from './meta-document';
import type { SearchEngine } from './search-engine';

/** One generation of the search index. */
export interface Generation {
  readonly id: string;
  readonly identity: IndexIdentity;
  readonly layout: number;
  readonly state: 'building' | 'live' | 'retired';
  /** Epoch milliseconds; when another one took its place. */
  readonly retiredMs?: number;
  /** True for a live one that is to be replaced although its identity is right. */
  readonly outdated?: boolean;
  readonly progress?: BuildProgress;
  /**
   * The engine's identities of its indices: an index that was restored or made anew has another.
   *
   * **Shape**: by entity type in layouts with an index for each, else one under `ALL_TYPES`.
   */
  readonly indices: Readonly<Record<string, string>>;
}

export const ALL_TYPES = '*';

interface Registry {
  readonly generations: readonly Generation[];
}

/** Which generations there are: one document, so that a swap of the live one is a single step for every process. */
export class Generations {
  private readonly registry: MetaDocument<Registry>;

  constructor(engine: SearchEngine) {
    this.registry = new MetaDocument(engine, 'generations');
  }

  async list(signal?: AbortSignal): Promise<readonly Generation[]> {
    return (await this.registry.read(signal))?.generations ?? [];
  }

  async live(signal?: AbortSignal): Promise<Generation | undefined> {
    return (await this.list(signal)).find(({ state }) => state === 'live');
  }

  /** The unfinished one of this identity, or a new one. */
  async beginOrContinue(identity: IndexIdentity): Promise<Generation> {
    const continues = ({ state, layout, identity: own }: Generation): boolean =>
      state === 'building' && layout === LAYOUT && isSame(own, identity);
    const id = randomBytes(4).toString('hex');
    const changed = await this.change((all) => {
      const fresh: Generation = { id, identity, layout: LAYOUT, state: 'building', indices: {} };
      return all.some(continues) ? all : [...all, fresh];
    });
    const found = changed.findLast(continues);
    if (found === undefined) throw new Error('A generation was added but is not there');
    return found;
  }

  /** Makes one live; all others are replaced by it, those under way as well. */
  async promote(id: string, nowMs: number): Promise<void> {
    await this.change((all) =>
      all.map(({ retiredMs, ...generation }) =>
        generation.id === id
          ? { ...generation, state: 'live' }
          : { ...generation, state: 'retired', retiredMs: retiredMs ?? nowMs },
      ),
    );
  }

  /** From now on none is live. */
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

  private async changeOne(id: string, change: (one: Generation) => Generation): Promise<void> {
    await this.change((all) => all.map((each) => (each.id === id ? change(each) : each)));
  }

  private async change(
    change: (all: readonly Generation[]) => readonly Generation[],
  ): Promise<readonly Generation[]> {
    const { generations: changed } = await this.registry.change((current) => {
      const generations = change(current?.generations ?? []);
      return current?.generations === generations ? current : { generations };
    });
    return changed;
  }
}

function isSame(a: IndexIdentity, b: IndexIdentity): boolean {
  return a.storeId === b.storeId && a.epoch === b.epoch && a.mapping === b.mapping;
}
