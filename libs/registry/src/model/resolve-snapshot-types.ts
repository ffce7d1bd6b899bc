import type { AspectType, EntityType, SnapshotType } from './entity-registry';
import { indexByEveryName } from '../schema/names-of-types';
import { dereferenced, type NamedSchema, type RecordSchema } from '../schema/schema';

/**
 * Resolves the snapshot of each entity type: a record that names the entity by `@Entity`, with a urn and a list of a
 * union of aspects. Ignores snapshots of entity types outside the registry files.
 */
export function resolveSnapshotTypes(
  schemas: Iterable<NamedSchema>,
  findEntityType: (name: string) => EntityType | undefined,
  vendorPrefix: string,
): ReadonlyMap<string, SnapshotType> {
  const snapshots = new Map<string, SnapshotType>();
  for (const schema of schemas) {
    if (schema.kind !== 'record') continue;
    const entityType = findEntityType(readEntityName(schema));
    const members = readMemberNames(schema);
    if (entityType === undefined || members === undefined) continue;
    const byRecord = new Map([...entityType.aspects.values()].map((aspect) => [aspect.recordName, aspect]));
    const aspects = members.flatMap((name): [string, AspectType][] => {
      const aspect = byRecord.get(name);
      return aspect === undefined ? [] : [[name, aspect]];
    });
    const named = aspects.map(([name, thing]) => ({ name, thing, hasOthers: true }));
    snapshots.set(entityType.name, {
      recordName: schema.name,
      entityType,
      aspects: new Map(aspects),
      aspectsByEveryName: indexByEveryName(named, vendorPrefix),
    });
  }
  return snapshots;
}

/** Indexes snapshots by every name that producers write for their records. */
export function snapshotsByEveryName(
  snapshots: Iterable<SnapshotType>,
  vendorPrefix: string,
): ReadonlyMap<string, SnapshotType> {
  const named = [...snapshots].map((thing) => ({ name: thing.recordName, thing, hasOthers: true }));
  return indexByEveryName(named, vendorPrefix);
}

/** Reads the entity name of `@Entity = {"name": ...}`; empty without it. */
function readEntityName({ annotations }: RecordSchema): string {
  const { Entity: entity } = annotations;
  const name = typeof entity === 'object' && entity !== null && 'name' in entity ? entity.name : '';
  return typeof name === 'string' ? name : '';
}

/** Reads the keys of the union in `aspects`; `undefined` for a record of another shape, such as a key record. */
function readMemberNames({ fields }: RecordSchema): readonly string[] | undefined {
  const aspects = fields.find(({ name }) => name === 'aspects');
  const hasUrn = fields.some(({ name }) => name === 'urn');
  const list = aspects === undefined ? undefined : dereferenced(aspects.type);
  const items = list?.kind === 'array' ? dereferenced(list.items) : undefined;
  return hasUrn && items?.kind === 'union' ? items.members.map(({ key }) => key) : undefined;
}
