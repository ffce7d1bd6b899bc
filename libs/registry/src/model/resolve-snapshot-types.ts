import type { AspectType, EntityType, SnapshotType } from './entity-registry';
import { byEveryName } from '../schema/names-of-types';
import { dereferenced, type NamedSchema, type RecordSchema } from '../schema/schema';

/**
 * The snapshot of each entity type that has one: a record that names the entity by `@Entity`, with a urn and a list of a union of
 * aspects. One whose entity type the registry file does not have is passed over.
 */
export function resolveSnapshotTypes(
  schemas: Iterable<NamedSchema>,
  entityTypeOf: (name: string) => EntityType | undefined,
  vendorPrefix: string,
): ReadonlyMap<string, SnapshotType> {
  const snapshots = new Map<string, SnapshotType>();
  for (const schema of schemas) {
    if (schema.kind !== 'record') continue;
    const entityType = entityTypeOf(entityNameOf(schema));
    const members = memberNamesOf(schema);
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
      aspectsByEveryName: byEveryName(named, vendorPrefix),
    });
  }
  return snapshots;
}

/** The same by every name that producers write for their records. */
export function snapshotsByEveryName(
  snapshots: Iterable<SnapshotType>,
  vendorPrefix: string,
): ReadonlyMap<string, SnapshotType> {
  const named = [...snapshots].map((thing) => ({ name: thing.recordName, thing, hasOthers: true }));
  return byEveryName(named, vendorPrefix);
}

/** What `@Entity = {"name": ...}` says; empty without it. */
function entityNameOf({ annotations }: RecordSchema): string {
  const { Entity: entity } = annotations;
  const name = typeof entity === 'object' && entity !== null && 'name' in entity ? entity.name : '';
  return typeof name === 'string' ? name : '';
}

/** The keys of the union in `aspects`; `undefined` for a record of another shape, as records of keys are. */
function memberNamesOf({ fields }: RecordSchema): readonly string[] | undefined {
  const aspects = fields.find(({ name }) => name === 'aspects');
  const hasUrn = fields.some(({ name }) => name === 'urn');
  const list = aspects === undefined ? undefined : dereferenced(aspects.type);
  const items = list?.kind === 'array' ? dereferenced(list.items) : undefined;
  return hasUrn && items?.kind === 'union' ? items.members.map(({ key }) => key) : undefined;
}
