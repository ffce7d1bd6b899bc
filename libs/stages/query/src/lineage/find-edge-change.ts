import { nameOwner, type ComparedTimes, type LineageChange } from '@stratalog/lineage';
import type { Edge, EdgeOwner, LineageDirection, LineageStep } from '@stratalog/domain';
import { inSlices } from '@stratalog/concurrency';
import type { AspectHistory, ChangePage, PastChange } from '@stratalog/ports';
import { projectAspect } from '@stratalog/projection';
import type { EntityRegistry } from '@stratalog/registry';

interface EdgeChangeDeps {
  readonly history: Pick<AspectHistory, 'listChanges'>;
  readonly registry: EntityRegistry;
}

/** Which change did it, without its value. */
export type EdgeChange = EdgeOwner & Pick<PastChange, 'version' | 'created'>;

/** Most changes of one aspect that are searched for the one that added or removed an edge. */
const MAX_CHANGES = 20;

/** Reads the changes between two times that added or removed edges. */
export class EdgeChanges {
  private readonly lasts = new Map<string, Promise<EdgeChange | undefined>>();

  constructor(
    private readonly deps: EdgeChangeDeps,
    private readonly times: ComparedTimes,
  ) {}

  /** Reads the last changes of an aspect, with their values. */
  async read(owner: EdgeOwner): Promise<AspectChanges> {
    return new AspectChanges(this.deps.registry, owner, await this.list(owner, MAX_CHANGES));
  }

  /** Finds the last change of an aspect. */
  findLast(owner: EdgeOwner): Promise<EdgeChange | undefined> {
    const key = nameOwner(owner);
    const known = this.lasts.get(key);
    if (known !== undefined) return known;
    const read = this.list(owner, 1).then(({ changes: [last] }) => last && withoutValue(owner, last));
    this.lasts.set(key, read);
    return read;
  }

  private list({ owner, aspectName }: EdgeOwner, limit: number): Promise<ChangePage> {
    const { fromMs, toMs } = this.times;
    const range = { sinceMs: fromMs + 1, untilMs: toMs, limit };
    return this.deps.history.listChanges({ ...range, urn: owner, aspectNames: [aspectName] });
  }
}

/**
 * Finds the changes of one aspect that added or removed edges: for each edge the last one. An aspect that changed only
 * once did it; of one that changed too often, or whose values were purged, the change is unknown.
 */
class AspectChanges {
  private readonly ends = new Map<PastChange | (PastChange['previous'] & {}), Promise<ReadonlySet<string>>>();

  constructor(
    private readonly registry: EntityRegistry,
    private readonly owner: EdgeOwner,
    private readonly page: ChangePage,
  ) {}

  /** Finds the last change that added or removed an edge; `ends` are those of `nameStep`. */
  async find(ends: string, change: LineageChange): Promise<EdgeChange | undefined> {
    const { changes, hasMore } = this.page;
    const [only] = changes;
    if (only !== undefined && changes.length === 1 && !hasMore) return withoutValue(this.owner, only);
    for (const each of changes) {
      const [has, had] = [await this.has(each, ends), await this.hadBefore(each, ends)];
      if (has === undefined || had === undefined) return undefined;
      if (has !== had && has === (change === 'added')) return withoutValue(this.owner, each);
    }
    return undefined;
  }

  /** True when the value that a change wrote has an edge; `undefined` when it was purged. */
  private async has(change: PastChange, ends: string): Promise<boolean | undefined> {
    if (change.kind === 'delete') return false;
    if (change.value === undefined) return undefined;
    return (await this.listEnds(change, change.value, change)).has(ends);
  }

  private async hadBefore(change: PastChange, ends: string): Promise<boolean | undefined> {
    const { previous } = change;
    if (previous === undefined || previous.kind === 'delete') return false;
    if (previous.value === undefined) return undefined;
    return (await this.listEnds(previous, previous.value, change)).has(ends);
  }

  private listEnds(
    key: PastChange | (PastChange['previous'] & {}),
    value: string,
    { created, systemMetadata }: PastChange,
  ): Promise<ReadonlySet<string>> {
    const known = this.ends.get(key);
    if (known !== undefined) return known;
    const { owner, aspectName: name } = this.owner;
    const project = projectAspect(this.registry);
    const read = inSlices(project(owner, { name, value, created, systemMetadata })).then(
      (edges) => new Set(edges.filter(({ isLineage }) => isLineage).map(nameEdge)),
    );
    this.ends.set(key, read);
    return read;
  }
}

function withoutValue(owner: EdgeOwner, { version, created }: PastChange): EdgeChange {
  return { ...owner, version, created };
}

/** Names the ends of a step as `<upstream> <downstream>`. */
export function nameStep({ near, far }: LineageStep, direction: LineageDirection): string {
  return direction === 'UPSTREAM' ? `${far} ${near}` : `${near} ${far}`;
}

function nameEdge({ source, destination, isUpstream }: Edge): string {
  return isUpstream ? `${destination} ${source}` : `${source} ${destination}`;
}
