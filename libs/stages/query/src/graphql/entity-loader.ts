import DataLoader from 'dataloader';
import { inSlices } from '@stratalog/concurrency';
import { parseInSteps, type JsonValue, type Steps } from '@stratalog/json';
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
  private readonly wholes: DataLoader<string, EntityView['aspects']>;

  constructor(
    private readonly deps: ReadDeps,
    private readonly costs: Costs,
  ) {
    this.aspects = new DataLoader((keys) => this.readBatch(keys), {
      cacheKeyFn: ({ urn, aspectName }) => `${urn}\n${aspectName}`,
    });
    this.wholes = new DataLoader((urns) => this.readWholes(urns));
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
  all(urn: string): Promise<EntityView['aspects']> {
    return this.wholes.load(urn);
  }

  /** Forgets what was read, because a write may have changed it. */
  forget(): void {
    this.aspects.clearAll();
    this.wholes.clearAll();
  }

  private async readBatch(keys: readonly AspectKey[]): Promise<(JsonValue | Error | undefined)[]> {
    const aspectNames = [...new Set(keys.map(({ aspectName }) => aspectName))];
    const { stored, faults } = await this.readStored(
      keys.map(({ urn }) => urn),
      aspectNames,
    );
    return inSlices(this.parseEach(keys, stored, faults));
  }

  private *parseEach(
    keys: readonly AspectKey[],
    stored: ReadonlyMap<string, EntityView['aspects']>,
    faults: ReadonlyMap<string, Error>,
  ): Steps<(JsonValue | Error | undefined)[]> {
    const values: (JsonValue | Error | undefined)[] = [];
    for (const { urn, aspectName } of keys) {
      this.costs.ended.throwIfAborted();
      const text = stored.get(urn)?.find(({ name }) => name === aspectName)?.value;
      values.push(text === undefined ? faults.get(urn) : (yield* parseInSteps(text)).value);
      yield;
    }
    return values;
  }

  private async readWholes(urns: readonly string[]): Promise<(EntityView['aspects'] | Error)[]> {
    const { stored, faults } = await this.readStored(urns);
    return urns.map((urn) => faults.get(urn) ?? stored.get(urn) ?? []);
  }

  /** Reads stored aspects, and counts them while they come; all of them without names. */
  private async readStored(
    wanted: readonly string[],
    aspectNames?: readonly string[],
  ): Promise<{
    readonly stored: ReadonlyMap<string, EntityView['aspects']>;
    readonly faults: ReadonlyMap<string, Error>;
  }> {
    const faults = new Map<string, Error>();
    const urns = [...new Set(wanted)].filter((urn) => {
      const fault = this.findFault(urn);
      if (fault !== undefined) faults.set(urn, fault);
      return fault === undefined;
    });
    this.costs.countReads(urns.length);
    const stored = new Map<string, EntityView['aspects']>();
    for (let at = 0; at < urns.length; at += MAX_BATCH_URNS) {
      this.costs.ended.throwIfAborted();
      const views = await viewEntities(this.deps, urns.slice(at, at + MAX_BATCH_URNS), aspectNames);
      for (const { urn, aspects } of views) {
        const own = toStored(aspects);
        for (const { value } of own) this.costs.countLength(value.length);
        stored.set(urn, own);
      }
    }
    return { stored, faults };
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
function toStored(aspects: EntityView['aspects']): EntityView['aspects'] {
  return aspects.filter(({ systemMetadata }) => systemMetadata !== undefined);
}
