import type { JsonValue } from '@stratalog/json';
import { ModelWarnings } from '../annotations/model-warnings';
import { computeFingerprint, computeGraphFingerprint, computeSearchFingerprint } from './compute-fingerprint';
import { Checks } from '../check/compile-checks';
import type { Check } from '../check/check-run';
import { findRetentionFaults } from '../check/retention-faults';
import { checkUrnValidations } from '../check/urn-validation';
import { checkDefaults } from './check-defaults';
import { buildEntityTypes } from './build-entity-types';
import type { AspectRule, AspectType, EntityRegistry, EntityType, SnapshotType } from './entity-registry';
import { readModelFolder, type ModelFolder, type ModelName } from './read-model-folder';
import { warnOfRegistryFile } from './read-registry-file';
import { resolveSchemas } from '../schema/resolve-schemas';
import type { NamedSchema, RecordSchema } from '../schema/schema';
import { resolveSnapshotTypes, snapshotsByEveryName } from './resolve-snapshot-types';

export interface ModelOptions {
  /** Folders in loading order. A later folder may add types, entities, and aspects of entities of an earlier one. */
  readonly folders: readonly string[];
  /** Replacement for `linkedin` in full names; default `linkedin`. */
  readonly vendor?: string;
  /** The second part of urns; default `li`. */
  readonly urnNamespace?: string;
  /** Rules of aspects beyond their schemas, by the name of the aspect, in addition to those of this library. */
  readonly rules?: ReadonlyMap<string, AspectRule>;
}

/** The rules of this library, by the name of the aspect. */
const OWN_RULES: ReadonlyMap<string, AspectRule> = new Map([
  ['dataHubRetentionConfig', (_: EntityRegistry, config: JsonValue) => findRetentionFaults(config)],
]);

const WRITTEN_PREFIX = 'com.linkedin.';

/**
 * Reads the model folders and builds the registry.
 *
 * **Errors**: `InvalidModelError` with file, line and column of the first fault.
 */
export async function loadModel(options: ModelOptions): Promise<EntityRegistry> {
  const folders = [];
  for (const folder of options.folders) folders.push(await readModelFolder(folder));
  return buildRegistry(folders, options);
}

/**
 * Builds the registry from parsed folders.
 *
 * **Errors**: `InvalidModelError` for the first fault.
 */
export function buildRegistry(
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
  checkUrnValidations(schemas.values(), warnings);
  const { aspects, entityTypes } = buildEntityTypes(
    folders.map(({ registry }) => registry.entities),
    schemas,
    { rename, warnings },
  );
  const names = new Map(entityTypes.map(({ name }) => [name.toLowerCase(), name]));
  const checks = new Checks(vendorPrefix, collectKeys(entityTypes), (name) => names.get(name.toLowerCase()));
  for (const { registry } of folders) warnOfRegistryFile(registry, warnings);
  checkDefaults(schemas.values(), checks);
  const urnNamespace = options.urnNamespace ?? 'li';
  return new LoadedRegistry({
    models: folders.map(({ model }) => model),
    urnNamespace,
    vendorPrefix,
    entityTypes,
    aspects,
    schemas,
    checks,
    warnings,
    rules: new Map([...OWN_RULES, ...(options.rules ?? [])]),
  });
}

/** Key records by the entity type's name in lower case. */
function collectKeys(entityTypes: readonly EntityType[]): ReadonlyMap<string, RecordSchema> {
  return new Map(entityTypes.map(({ name, keyAspect }) => [name.toLowerCase(), keyAspect.record]));
}

interface LoadedDeps {
  readonly models: readonly ModelName[];
  readonly urnNamespace: string;
  readonly vendorPrefix: string;
  readonly entityTypes: readonly EntityType[];
  readonly aspects: ReadonlyMap<string, AspectType>;
  readonly schemas: ReadonlyMap<string, NamedSchema>;
  readonly checks: Checks;
  readonly warnings: ModelWarnings;
  readonly rules: ReadonlyMap<string, AspectRule>;
}

class LoadedRegistry implements EntityRegistry {
  readonly fingerprint: string;
  readonly searchFingerprint: string;
  readonly graphFingerprint: string;
  readonly snapshots: ReadonlyMap<string, SnapshotType>;
  private readonly typesByName: ReadonlyMap<string, EntityType>;
  private readonly snapshotsByName: ReadonlyMap<string, SnapshotType>;

  constructor(private readonly deps: LoadedDeps) {
    const { urnNamespace, vendorPrefix, entityTypes, schemas } = deps;
    this.typesByName = new Map(entityTypes.map((type) => [type.name.toLowerCase(), type]));
    this.fingerprint = computeFingerprint(urnNamespace, entityTypes, schemas.values());
    this.snapshots = resolveSnapshotTypes(schemas.values(), (name) => this.entityType(name), vendorPrefix);
    this.snapshotsByName = snapshotsByEveryName(this.snapshots.values(), vendorPrefix);
    this.searchFingerprint = computeSearchFingerprint(urnNamespace, entityTypes);
    this.graphFingerprint = computeGraphFingerprint(entityTypes);
  }

  get models(): readonly ModelName[] {
    return this.deps.models;
  }

  get urnNamespace(): string {
    return this.deps.urnNamespace;
  }

  get entityTypes(): readonly EntityType[] {
    return this.deps.entityTypes;
  }

  get warnings(): readonly string[] {
    return this.deps.warnings.warnings;
  }

  get notes(): readonly string[] {
    return this.deps.warnings.notes;
  }

  get aspects(): readonly AspectType[] {
    return [...this.deps.aspects.values()];
  }

  get types(): readonly NamedSchema[] {
    return [...this.deps.schemas.values()];
  }

  snapshotNamed(recordName: string): SnapshotType | undefined {
    return this.snapshotsByName.get(recordName);
  }

  entityType(name: string): EntityType | undefined {
    return this.typesByName.get(name.toLowerCase());
  }

  aspect(name: string): AspectType | undefined {
    return this.deps.aspects.get(name);
  }

  schema(fullName: string): NamedSchema | undefined {
    return this.deps.schemas.get(fullName);
  }

  compileCheck(record: RecordSchema): Check {
    return this.deps.checks.compileCheck(record);
  }

  aspectRule(name: string): AspectRule | undefined {
    return this.deps.rules.get(name);
  }
}
