import { ModelWarnings } from '../annotations/model-warnings';
import { computeFingerprint, computeGraphFingerprint, computeSearchFingerprint } from './compute-fingerprint';
import { Checks } from '../check/compile-checks';
import type { Check } from '../check/check-run';
import { checkUrnValidations } from '../check/urn-validation';
import { checkDefaults } from './check-defaults';
import { entityTypesOf } from './build-entity-types';
import type { AspectType, EntityRegistry, EntityType, SnapshotType } from './entity-registry';
import { readModelFolder, type ModelFolder } from './read-model-folder';
import { warnOfRegistryFile } from './read-registry-file';
import { resolveSchemas } from '../schema/resolve-schemas';
import type { NamedSchema, RecordSchema } from '../schema/schema';
import { resolveSnapshotTypes, snapshotsByEveryName } from './resolve-snapshot-types';

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
  const folders = [];
  for (const folder of options.folders) folders.push(await readModelFolder(folder));
  return registryOf(folders, options);
}

/**
 * The registry of what was read.
 *
 * **Errors**: `InvalidModelError` for the first thing that is wrong.
 */
export function registryOf(
  folders: readonly ModelFolder[],
  options: Omit<ModelOptions, 'folders'>,
): EntityRegistry {
  const vendorPrefix = `com.${options.vendor ?? 'linkedin'}.`;
  const rename = (name: string): string =>
    name.startsWith(WRITTEN_PREFIX) ? vendorPrefix + name.slice(WRITTEN_PREFIX.length) : name;
  const warnings = new ModelWarnings();
  const schemas = resolveSchemas(
    folders.flatMap(({ documents }) => documents),
    rename,
  );
  const { aspects, entityTypes } = entityTypesOf(
    folders.map(({ registry }) => registry.entities),
    schemas,
    { rename, warnings },
  );
  const checks = new Checks(vendorPrefix, keysOf(entityTypes));
  for (const { registry } of folders) warnOfRegistryFile(registry, warnings);
  checkUrnValidations(schemas.values(), warnings);
  checkDefaults(schemas.values(), checks);
  const urnNamespace = options.urnNamespace ?? 'li';
  return new LoadedRegistry({
    urnNamespace,
    vendorPrefix,
    entityTypes,
    aspects,
    schemas,
    checks,
    warnings,
  });
}

/** By the entity type's name in lower case, the record of its key. */
function keysOf(entityTypes: readonly EntityType[]): ReadonlyMap<string, RecordSchema> {
  return new Map(entityTypes.map(({ name, keyAspect }) => [name.toLowerCase(), keyAspect.record]));
}

interface LoadedDeps {
  readonly urnNamespace: string;
  readonly vendorPrefix: string;
  readonly entityTypes: readonly EntityType[];
  readonly aspects: ReadonlyMap<string, AspectType>;
  readonly schemas: ReadonlyMap<string, NamedSchema>;
  readonly checks: Checks;
  readonly warnings: ModelWarnings;
}

class LoadedRegistry implements EntityRegistry {
  readonly fingerprint: string;
  readonly searchFingerprint: string;
  readonly graphFingerprint: string;
  readonly snapshots: ReadonlyMap<string, SnapshotType>;
  private readonly typesByName: ReadonlyMap<string, EntityType>;
  private readonly snapshotsByName: ReadonlyMap<string, SnapshotType>;

  constructor(private readonly parts: LoadedDeps) {
    const { urnNamespace, vendorPrefix, entityTypes, schemas } = parts;
    this.typesByName = new Map(entityTypes.map((type) => [type.name.toLowerCase(), type]));
    this.fingerprint = computeFingerprint(urnNamespace, entityTypes, schemas.values());
    this.snapshots = resolveSnapshotTypes(schemas.values(), (name) => this.entityType(name), vendorPrefix);
    this.snapshotsByName = snapshotsByEveryName(this.snapshots.values(), vendorPrefix);
    this.searchFingerprint = computeSearchFingerprint(urnNamespace, entityTypes);
    this.graphFingerprint = computeGraphFingerprint(entityTypes);
  }

  get urnNamespace(): string {
    return this.parts.urnNamespace;
  }

  get entityTypes(): readonly EntityType[] {
    return this.parts.entityTypes;
  }

  get warnings(): readonly string[] {
    return this.parts.warnings.warnings;
  }

  get notes(): readonly string[] {
    return this.parts.warnings.notes;
  }

  get aspects(): readonly AspectType[] {
    return [...this.parts.aspects.values()];
  }

  get types(): readonly NamedSchema[] {
    return [...this.parts.schemas.values()];
  }

  snapshotNamed(recordName: string): SnapshotType | undefined {
    return this.snapshotsByName.get(recordName);
  }

  entityType(name: string): EntityType | undefined {
    return this.typesByName.get(name.toLowerCase());
  }

  aspect(name: string): AspectType | undefined {
    return this.parts.aspects.get(name);
  }

  schema(fullName: string): NamedSchema | undefined {
    return this.parts.schemas.get(fullName);
  }

  compileCheck(record: RecordSchema): Check {
    return this.parts.checks.compileCheck(record);
  }
}
