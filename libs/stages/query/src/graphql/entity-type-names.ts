import type { EntityRegistry, EntityType } from '@stratalog/registry';

/** Entity types whose name in GraphQL does not follow the rule of clients. */
const IRREGULAR: Readonly<Record<string, string>> = {
  corpuser: 'CORP_USER',
  mlModel: 'MLMODEL',
  mlModelGroup: 'MLMODEL_GROUP',
  mlFeature: 'MLFEATURE',
  mlFeatureTable: 'MLFEATURE_TABLE',
  mlPrimaryKey: 'MLPRIMARY_KEY',
};

/** Names that the original has besides those that clients derive; answers have them. */
const ORIGINAL: Readonly<Record<string, string>> = {
  ownershipType: 'CUSTOM_OWNERSHIP_TYPE',
  dataHubPolicy: 'DATAHUB_POLICY',
  dataHubRole: 'DATAHUB_ROLE',
  dataHubView: 'DATAHUB_VIEW',
  dataHubConnection: 'DATAHUB_CONNECTION',
  dataHubFile: 'DATAHUB_FILE',
  dataHubPageModule: 'DATAHUB_PAGE_MODULE',
  dataHubPageTemplate: 'DATAHUB_PAGE_TEMPLATE',
};

/** The name for an entity outside the model. */
const OUTSIDE = 'OTHER';
/** The original's name for what a caller may not see, which nothing has here. */
const RESTRICTED = 'RESTRICTED';

/** The entity types of the model in the spelling of GraphQL clients, such as `DATA_JOB`. */
export class EntityTypeNames {
  private readonly types = new Map<string, EntityType>();
  private readonly names = new Map<string, string>();

  constructor(registry: Pick<EntityRegistry, 'entityTypes'>) {
    for (const type of registry.entityTypes) {
      const name = this.unused(IRREGULAR[type.name] ?? deriveName(type.name));
      const original = ORIGINAL[type.name];
      this.types.set(name, type);
      if (original !== undefined && !this.types.has(original)) this.types.set(original, type);
      this.names.set(type.name, original ?? name);
    }
  }

  /** Every name, for the schema. */
  get all(): readonly string[] {
    return [...new Set([...this.types.keys(), OUTSIDE, RESTRICTED])];
  }

  /** Finds the type with a name; `undefined` for the names that no type has. */
  find(name: string): EntityType | undefined {
    return this.types.get(name);
  }

  /** Names an entity type of the model, or any other. */
  nameOf(entityType: string): string {
    return this.names.get(entityType) ?? OUTSIDE;
  }

  /** Two types may differ by what a name leaves out. */
  private unused(name: string): string {
    return this.types.has(name) ? this.unused(`${name}_`) : name;
  }
}

/** The rule of the Python client: underscores before capitals, all in capitals, without `DATA_HUB_`. */
function deriveName(entityType: string): string {
  const name = entityType
    .replace(/[^A-Za-z0-9_]/g, '_')
    .replace(/[A-Z]/g, '_$&')
    .replace(/^_+|^(?=\d)/, '')
    .toUpperCase();
  return name.replace(/^DATA_HUB_/, '');
}
