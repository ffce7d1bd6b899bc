import type { StoredAspect, StoredEntity } from '@stratalog/domain';
import { stringifyJson } from '@stratalog/json';
import { checkProposal, type EntityRegistry, type ProposalCheck, type ValueOf } from '@stratalog/registry';
import type { CatalogEntity } from './catalog-entity';

const ACTOR = 'urn:li:corpuser:ingestion';
const CREATED = { time: 1_750_000_000_000, actor: ACTOR };
/** Types whose aspects decide the default aspects of others. */
const NEIGHBOUR_TYPES = new Set(['dataPlatform', 'container']);

/** Turns entities into what the store would hold after their proposals: every value checked, key and defaults added. */
export class EntityStorage {
  private readonly neighbours = new Map<string, string>();

  constructor(private readonly registry: EntityRegistry) {}

  /** **Errors**: an `Error` for an entity that the model does not accept. */
  store({ urn, entityType, aspects }: CatalogEntity): StoredEntity {
    const values = new Map<string, string>();
    for (const [aspectName, value] of Object.entries(aspects)) {
      const proposal = { entityType, urn, aspectName, changeType: 'UPSERT' as const, actor: ACTOR };
      const check = checkProposal(this.registry, { ...proposal, value: stringifyJson(value) });
      if ('rejection' in check) throw new Error(`${urn}: ${check.rejection}`);
      if (values.size === 0) this.addDefaults(values, check);
      values.set(aspectName, check.value ?? '');
    }
    if (NEIGHBOUR_TYPES.has(entityType)) {
      for (const [name, value] of values) this.neighbours.set(`${urn} ${name}`, value);
    }
    const stored = [...values].map(([name, value]) => toStoredAspect(name, value));
    return { urn, seq: 1, deleted: false, aspects: stored };
  }

  private addDefaults(
    values: Map<string, string>,
    check: Exclude<ProposalCheck, { rejection: string }>,
  ): void {
    const valueOf: ValueOf = ({ urn, aspectName }) => this.neighbours.get(`${urn} ${aspectName}`);
    values.set(check.key.aspectName, check.key.value);
    for (const { aspectName, value } of check.defaults({ names: check.defaultNames(), valueOf }))
      values.set(aspectName, value);
  }
}

function toStoredAspect(name: string, value: string): StoredAspect {
  return {
    name,
    version: 1,
    value,
    created: CREATED,
    aspectCreated: CREATED,
    systemMetadata: {},
    observed: {},
  };
}
