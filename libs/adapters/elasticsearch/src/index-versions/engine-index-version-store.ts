import { randomBytes } from 'node:crypto';
import { InvalidSettingError, UnavailableError, covers, parseSequences } from '@stratalog/domain';
import { withinLimits } from '@stratalog/concurrency';
import type {
  Activation,
  ActivationOutcome,
  BuildHeartbeat,
  IndexIdentity,
  IndexVersion,
  IndexVersionStore,
  RebuildMark,
} from '@stratalog/ports';
import type { IndexShape } from '../engine/build-mappings';
import { ensureIndex } from '../engine/ensure-index';
import type { IndexKind } from '../engine/index-names';
import type { SearchEngine } from '../engine/search-engine';
import { abortedBy, answered } from '../engine/translate-error';
import { IndexPosition } from './index-position';
import { VersionRegistry, type RegisteredVersion } from './version-registry';

/** How versions of one kind of index lie in the engine. */
export interface EngineIndexKind<Index> {
  readonly kind: IndexKind;
  /** The document that lists the versions. */
  readonly registryId: string;
  readonly layout: number;
  /** The indices that a version has from its beginning. */
  readonly buildShapes: (versionId: string) => readonly IndexShape[];
  /** `addPart` creates one more index of the version, unless it exists. */
  readonly open: (version: IndexVersion, addPart: (shape: IndexShape) => Promise<void>) => Index;
}

/** An index that is far behind takes batches of this size. Each costs a refresh: with a quarter as many changes it catches up a fifth slower. */
const CHANGES_PER_BATCH = 6_400;

/** Stores the versions of one kind of index in one Elasticsearch or OpenSearch. */
export class EngineIndexVersionStore<Index> implements IndexVersionStore<Index> {
  readonly layout: number;
  readonly changesPerBatch = CHANGES_PER_BATCH;
  private readonly registry: VersionRegistry;

  constructor(
    private readonly engine: SearchEngine,
    private readonly indices: EngineIndexKind<Index>,
  ) {
    this.layout = indices.layout;
    this.registry = new VersionRegistry(engine, indices.registryId);
  }

  list(): Promise<readonly IndexVersion[]> {
    return withinLimits(async (signal) => {
      const registered = (await this.registry.list(signal)).filter(isCreated);
      if (registered.length === 0) return [];
      const existing = new Set(
        Object.values(await this.readUuids(this.engine.names.allVersions(this.indices.kind), signal)),
      );
      return registered.map((version) => this.toIndexVersion(version, existing));
    });
  }

  /** Creates the indices before the first document, so that its write does not wait. */
  async create(identity: IndexIdentity): Promise<void> {
    const id = randomBytes(4).toString('hex');
    await this.registry.add({ id, identity, layout: this.layout, state: 'building' });
    const uuids: string[] = [];
    for (const shape of this.indices.buildShapes(id)) uuids.push(await this.createIndex(shape));
    // Listed last, so that all processes see the versions in the order in which they became usable.
    await this.registry.changeAll((all) => [
      ...all.filter((version) => version.id !== id),
      ...all.flatMap((version) => (version.id === id ? [{ ...version, uuid: uuids.join() }] : [])),
    ]);
  }

  open(version: IndexVersion): Index {
    return this.indices.open(version, (shape) => this.addPart(version.id, shape));
  }

  async activate(id: string, { former, mustCover, nowMs }: Activation): Promise<ActivationOutcome> {
    // Of a live version of an earlier layout, which lies in a document of its own. No process of this release moves it.
    const formerSeqs = former === undefined ? new Map() : await this.positionOf(former).read();
    let outcome: ActivationOutcome = 'replaced';
    await this.registry.changeAll((all) => {
      const live = all.find((version) => version.state === 'live' && version.id !== id);
      const own = all.find((version) => version.id === id);
      const isWanted = own !== undefined && own.state !== 'retired' && live?.id === former;
      const wanted = live?.seqs === undefined ? formerSeqs : parseSequences(live.seqs);
      if (!isWanted) outcome = 'replaced';
      else if (mustCover && !covers(parseSequences(own.seqs), wanted)) outcome = 'behind';
      else outcome = 'activated';
      return outcome === 'activated' ? all.map((version) => activated(version, id, nowMs)) : all;
    });
    return outcome;
  }

  retire(id: string, state: 'building' | 'live', nowMs: number): Promise<void> {
    return this.registry.change(id, (version) =>
      version.state === state ? { ...version, state: 'retired', retiredMs: nowMs } : version,
    );
  }

  markRebuild(id: string, { isOutdated, isHeld }: RebuildMark): Promise<void> {
    return this.registry.change(id, (version) => ({ ...version, outdated: isOutdated, held: isHeld }));
  }

  async sendHeartbeat(id: string, { after, builder, progress }: BuildHeartbeat): Promise<boolean> {
    let isNext = false;
    await this.registry.change(id, (version) => {
      isNext = (version.heartbeats ?? 0) === after;
      if (!isNext) return version;
      return { ...version, heartbeats: after + 1, builder, ...(progress === undefined ? {} : { progress }) };
    });
    return isNext;
  }

  async drop(id: string): Promise<void> {
    const indices = Object.keys(await this.readUuids(this.engine.names.allOf(this.indices.kind, id)));
    // Deletes by name, because engines do not delete by pattern.
    if (indices.length > 0) {
      await answered(this.engine.client.indices.delete({ index: indices, ignore_unavailable: true }));
    }
    await this.positionOf(id).remove();
    await this.registry.remove(id);
  }

  private positionOf(id: string): IndexPosition {
    return new IndexPosition(this.engine, this.indices.registryId, id);
  }

  /** Creates an index of a version, and lists it. */
  private async addPart(id: string, shape: IndexShape): Promise<void> {
    const uuid = await this.createIndex(shape);
    await this.registry.change(id, (version) => {
      const listed = listUuids(version.uuid ?? '');
      return listed.includes(uuid) ? version : { ...version, uuid: [...listed, uuid].join() };
    });
  }

  private createIndex(shape: IndexShape): Promise<string> {
    return ensureIndex(this.engine.client, shape).catch((error: unknown) => {
      // Not a setting error: the name is the catalog's own, and random.
      throw error instanceof InvalidSettingError
        ? new UnavailableError('The search engine has an index in the way of a new one', { cause: error })
        : error;
    });
  }

  private toIndexVersion(
    { outdated, held, uuid, heartbeats = 0, builder, ...version }: RegisteredVersion,
    existingUuids: ReadonlySet<string | undefined>,
  ): IndexVersion {
    return {
      ...version,
      heartbeats,
      ...(builder === undefined ? {} : { builder }),
      name: this.engine.names.allOf(this.indices.kind, version.id),
      isOutdated: outdated === true,
      isHeld: held === true,
      isComplete: uuid !== undefined && listUuids(uuid).every((each) => existingUuids.has(each)),
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

function activated(
  { retiredMs, ...version }: RegisteredVersion,
  id: string,
  nowMs: number,
): RegisteredVersion {
  return version.id === id
    ? { ...version, state: 'live' }
    : { ...version, state: 'retired', retiredMs: retiredMs ?? nowMs };
}

function listUuids(joined: string): readonly string[] {
  return joined.split(',').filter((uuid) => uuid !== '');
}

/** False while another process creates the indices of a new version. */
function isCreated({ state, uuid }: RegisteredVersion): boolean {
  return state !== 'building' || uuid !== undefined;
}
