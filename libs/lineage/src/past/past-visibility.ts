import type { StoredEntity } from '@stratalog/domain';
import { isJsonObject, parseJson } from '@stratalog/json';
import type { AspectHistory, AspectRef, EntityPage } from '@stratalog/ports';
import type { VisibilityStore } from '../find-excluded';
import { readAspectsAt } from './read-aspects-at';

const STATUS = 'status';

export interface PastVisibilityDeps {
  readonly history: Pick<AspectHistory, 'aspectsAt'>;
  readonly timeMs: number;
  /** Returns the name of the aspect that every entity of the urn's type has. */
  readonly keyAspect: (urn: string) => string | undefined;
}

/** Tells which entities existed at a time, and which were soft-deleted. A status that was purged counts as none. */
export class PastVisibility implements VisibilityStore {
  constructor(private readonly deps: PastVisibilityDeps) {}

  async filterSoftDeleted(urns: readonly string[]): Promise<readonly string[]> {
    const refs = urns.map((urn) => ({ urn, aspectName: STATUS }));
    const removed: string[] = [];
    await readAspectsAt(this.deps.history, refs, this.deps.timeMs, ({ aspects }) => {
      for (const { urn, value } of aspects) {
        const status = parseJson(value);
        if (isJsonObject(status) && status.removed === true) removed.push(urn);
      }
    });
    return removed;
  }

  /** Reads the entities that existed, without aspects. */
  async readEntities(urns: readonly string[]): Promise<EntityPage> {
    const refs = urns.flatMap((urn): AspectRef[] => {
      const aspectName = this.deps.keyAspect(urn);
      return aspectName === undefined ? [] : [{ urn, aspectName }];
    });
    const entities: StoredEntity[] = [];
    await readAspectsAt(this.deps.history, refs, this.deps.timeMs, ({ aspects, lost }) => {
      for (const { urn } of [...aspects, ...lost])
        entities.push({ urn, seq: 0, deleted: false, aspects: [] });
    });
    return { entities, rest: [] };
  }
}
