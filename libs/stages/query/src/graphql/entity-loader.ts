import DataLoader from 'dataloader';
import { parseJson, type JsonValue } from '@stratalog/json';
import { entityNamed } from '@stratalog/registry';
import { MAX_BATCH_URNS, viewEntities, type EntityView, type ReadDeps } from '../entities/view-entities';
import type { Costs } from './costs';

interface AspectKey {
  readonly urn: string;
  readonly aspectName: string;
}

/**
 * Reads the aspects of entities for one text. All that one level of the answer asks for is one read, and what was read once is not read
 * again.
 */
export class EntityLoader {
  private readonly aspects: DataLoader<AspectKey, JsonValue | undefined, string>;

  constructor(
    private readonly deps: ReadDeps,
    private readonly costs: Costs,
  ) {
    this.aspects = new DataLoader((keys) => this.readBatch(keys), {
      cacheKeyFn: ({ urn, aspectName }) => `${urn}\n${aspectName}`,
    });
  }

  /**
   * Reads the latest value of an aspect; `undefined` when the entity does not have it.
   *
   * **Errors**: `InvalidRequestError` for a malformed urn or one of a type outside the model.
   */
  aspect(urn: string, aspectName: string): Promise<JsonValue | undefined> {
    return this.aspects.load({ urn, aspectName });
  }

  /** True when the entity exists. **Errors**: those of {@link aspect}. */
  async exists(urn: string): Promise<boolean> {
    const { entityType } = entityNamed(this.deps.registry, urn);
    return (await this.aspect(urn, entityType.keyAspect.name)) !== undefined;
  }

  /** Reads all aspects of an entity, as JSON texts. **Errors**: those of {@link aspect}. */
  async all(urn: string): Promise<EntityView['aspects']> {
    this.costs.countReads(1);
    const [view] = await viewEntities(this.deps, [urn]);
    const stored = (view?.aspects ?? []).filter(({ systemMetadata }) => systemMetadata !== undefined);
    for (const { value } of stored) this.costs.countLength(value.length);
    return stored;
  }

  private async readBatch(keys: readonly AspectKey[]): Promise<(JsonValue | Error | undefined)[]> {
    const faults = new Map<string, Error>();
    const urns = [...new Set(keys.map(({ urn }) => urn))].filter((urn) => {
      const fault = this.findFault(urn);
      if (fault !== undefined) faults.set(urn, fault);
      return fault === undefined;
    });
    this.costs.countReads(urns.length);
    const aspectNames = [...new Set(keys.map(({ aspectName }) => aspectName))];
    const texts = new Map<string, ReadonlyMap<string, string>>();
    for (let at = 0; at < urns.length; at += MAX_BATCH_URNS) {
      const views = await viewEntities(this.deps, urns.slice(at, at + MAX_BATCH_URNS), aspectNames);
      for (const { urn, aspects } of views) texts.set(urn, toStoredTexts(aspects));
    }
    return keys.map(({ urn, aspectName }) => {
      const text = texts.get(urn)?.get(aspectName);
      if (text === undefined) return faults.get(urn);
      this.costs.countLength(text.length);
      return parseJson(text);
    });
  }

  /** One wrong urn must not fail the others of its batch. */
  private findFault(urn: string): Error | undefined {
    try {
      entityNamed(this.deps.registry, urn);
      return undefined;
    } catch (error) {
      return error as Error;
    }
  }
}

/** The key aspect that is computed from the urn of an entity that no one wrote is none. */
function toStoredTexts(aspects: EntityView['aspects']): ReadonlyMap<string, string> {
  const stored = aspects.filter(({ systemMetadata }) => systemMetadata !== undefined);
  return new Map(stored.map(({ name, value }) => [name, value]));
}
