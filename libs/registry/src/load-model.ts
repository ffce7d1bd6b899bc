import { fingerprintOf, searchFingerprintOf } from './fingerprint-of';
import { Checks } from './check/compile-checks';
import type { Check } from './check/check-run';
import { checkDefaults } from './check-defaults';
import { entityTypesOf } from './entity-types-of';
import type { AspectType, EntityRegistry, EntityType } from './entity-registry';
import { readModelFolder } from './read-model-folder';
import { resolveSchemas } from './resolve-schemas';
import type { NamedSchema, RecordSchema } from './schema';

export interface ModelOptions {
  /** Read in this order; a later folder may add types, entities, and aspects of entities that an earlier one declares. */
  readonly folders: readonly string[];
  /** What stands for `linkedin` in full names, `linkedin` itself by default. */
  readonly vendor?: string;
  /** The second part of urns, `li` by default. */
  readonly urnNamespace?: string;
}

const WRITTEN_PREFIX = 'com.linkedin.';

/**
 * Reads the model folders and makes the registry from them.
 *
 * **Errors**: `InvalidModelError` naming file, line and column, for the first thing in any file that is wrong.
 */
export async function loadModel(options: ModelOptions): Promise<EntityRegistry> {
  const vendorPrefix = `com.${options.vendor ?? 'linkedin'}.`;
  const rename = (name: string): string =>
    name.startsWith(WRITTEN_PREFIX) ? vendorPrefix + name.slice(WRITTEN_PREFIX.length) : name;
  const folders = [];
  for (const folder of options.folders) folders.push(await readModelFolder(folder));
  const schemas = resolveSchemas(
    folders.flatMap(({ documents }) => documents),
    rename,
  );
  const { aspects, entityTypes } = entityTypesOf(
    folders.map(({ entities }) => entities),
    schemas,
    rename,
  );
  const checks = new Checks(vendorPrefix);
  checkDefaults(schemas.values(), checks);
  return new LoadedRegistry(options.urnNamespace ?? 'li', entityTypes, aspects, schemas, checks);
}

class LoadedRegistry implements EntityRegistry {
  readonly fingerprint: string;
  readonly searchFingerprint: string;
  private readonly typesByName: ReadonlyMap<string, EntityType>;

  constructor(
    readonly urnNamespace: string,
    readonly entityTypes: readonly EntityType[],
    private readonly aspects: ReadonlyMap<string, AspectType>,
    private readonly schemas: ReadonlyMap<string, NamedSchema>,
    private readonly checks: Checks,
  ) {
    this.typesByName = new Map(entityTypes.map((type) => [type.name.toLowerCase(), type]));
    this.fingerprint = fingerprintOf(urnNamespace, entityTypes, schemas.values());
    this.searchFingerprint = searchFingerprintOf(urnNamespace, entityTypes);
  }

  entityType(name: string): EntityType | undefined {
    return this.typesByName.get(name.toLowerCase());
  }

  aspect(name: string): AspectType | undefined {
    return this.aspects.get(name);
  }

  schema(fullName: string): NamedSchema | undefined {
    return this.schemas.get(fullName);
  }

  checkOf(record: RecordSchema): Check {
    return this.checks.checkOf(record);
  }
}
