import { randomBytes } from 'node:crypto';
import { InvalidSettingError, UnavailableError } from '@stratalog/model';
import {
  Semaphore,
  withinLimits,
  type BuildProgress,
  type IndexIdentity,
  type IndexVersion,
  type IndexVersionStore,
} from '@stratalog/ports';
import { LAYOUT, buildMappings } from '../engine/build-mappings';
import { ensureIndex } from '../engine/ensure-index';
import type { SearchEngine } from '../engine/search-engine';
import { abortedBy, answered } from '../engine/translate-error';
import { IndexPosition } from '../index-versions/index-position';
import { VersionRegistry, type RegisteredVersion } from '../index-versions/version-registry';
import { ElasticsearchSearchIndex } from './search-index';

/**
 * Maximum number of concurrent searches per process. More would wait in the engine, where they cannot be removed after
 * their time limit.
 */
const MAX_SEARCHES = 32;

/** Stores the versions of the search index in one Elasticsearch or OpenSearch. */
export class ElasticsearchSearchIndexVersionStore implements IndexVersionStore<ElasticsearchSearchIndex> {
  readonly layout = LAYOUT;
  private readonly registry: VersionRegistry;
  private readonly searches = new Semaphore(MAX_SEARCHES);

  constructor(private readonly engine: SearchEngine) {
    this.registry = new VersionRegistry(engine);
  }

  list(): Promise<readonly IndexVersion[]> {
    return withinLimits(async (signal) => {
      const registered = (await this.registry.list(signal)).filter(isCreated);
      if (registered.length === 0) return [];
      const existing = new Set(Object.values(await this.readUuids(this.engine.names.allVersions(), signal)));
      return registered.map((version) => this.toIndexVersion(version, existing));
    });
  }

  /** Creates the index before the first document, so that its write does not wait. */
  async create(identity: IndexIdentity): Promise<void> {
    const id = randomBytes(4).toString('hex');
    await this.registry.add({ id, identity, layout: LAYOUT, state: 'building' });
    const shape = buildMappings(this.engine.names.documents(id), { product: 'stratalog', indexVersion: id });
    const uuid = await ensureIndex(this.engine.client, shape).catch((error: unknown) => {
      // Not a setting error: the name is the catalog's own, and random.
      throw error instanceof InvalidSettingError
        ? new UnavailableError('The search engine has an index in the way of a new one', { cause: error })
        : error;
    });
    // Listed last, so that all processes see the versions in the order in which they became usable.
    await this.registry.changeAll((all) => [
      ...all.filter((version) => version.id !== id),
      ...all.flatMap((version) => (version.id === id ? [{ ...version, uuid }] : [])),
    ]);
  }

  open(version: IndexVersion): ElasticsearchSearchIndex {
    return new ElasticsearchSearchIndex({ engine: this.engine, searches: this.searches }, version);
  }

  activate(id: string, nowMs: number): Promise<void> {
    return this.registry.changeAll((all) =>
      all.map(({ retiredMs, ...version }) =>
        version.id === id
          ? { ...version, state: 'live' }
          : { ...version, state: 'retired', retiredMs: retiredMs ?? nowMs },
      ),
    );
  }

  retire(id: string, nowMs: number): Promise<void> {
    return this.registry.change(id, (version) => ({
      ...version,
      state: 'retired',
      retiredMs: version.retiredMs ?? nowMs,
    }));
  }

  markOutdated(id: string): Promise<void> {
    return this.registry.change(id, (version) => ({ ...version, outdated: true }));
  }

  noteProgress(id: string, progress: BuildProgress): Promise<void> {
    return this.registry.change(id, (version) => ({ ...version, progress }));
  }

  async drop(id: string): Promise<void> {
    const indices = Object.keys(await this.readUuids(this.engine.names.allOf(id)));
    // Deletes by name, because engines do not delete by pattern.
    if (indices.length > 0) {
      await answered(this.engine.client.indices.delete({ index: indices, ignore_unavailable: true }));
    }
    await new IndexPosition(this.engine, id).remove();
    await this.registry.remove(id);
  }

  private toIndexVersion(
    { outdated, uuid, ...version }: RegisteredVersion,
    existingUuids: ReadonlySet<string | undefined>,
  ): IndexVersion {
    return {
      ...version,
      name: this.engine.names.allOf(version.id),
      isOutdated: outdated === true,
      isComplete: uuid !== undefined && existingUuids.has(uuid),
    };
  }

  /** Reads the engine's UUIDs of indices, by index name. */
  private async readUuids(
    index: string,
    signal?: AbortSignal,
  ): Promise<Readonly<Record<string, string | undefined>>> {
    const asked = { index, filter_path: '*.settings.index.uuid' };
    const found = await answered(this.engine.client.indices.get(asked, abortedBy(signal)));
    return Object.fromEntries(
      Object.entries(found).map(([name, { settings }]) => [name, settings?.index?.uuid]),
    );
  }
}

/** False while another process creates the index of a new version. */
function isCreated({ state, uuid }: RegisteredVersion): boolean {
  return state !== 'building' || uuid !== undefined;
}
