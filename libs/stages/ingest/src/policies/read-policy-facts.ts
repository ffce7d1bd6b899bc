import { parseUrn, type StoredEntity } from '@stratalog/domain';
import { isJsonObject, parseJson, type JsonValue } from '@stratalog/json';
import { readEntityPages } from '@stratalog/concurrency';
import type { AspectStore } from '@stratalog/ports';
import type { PolicyField } from './access-policy';
import type { PolicyEntity, PolicyUser } from './decide-by-policies';

type Store = Pick<AspectStore, 'readEntities'>;

/** An aspect, and the members of its value that lead to urns; lists on the way are walked. */
interface Place {
  readonly aspectName: string;
  readonly path: readonly string[];
}

const OWNERS: Place = { aspectName: 'ownership', path: ['owners'] };
const GROUPS: readonly Place[] = [
  { aspectName: 'groupMembership', path: ['groups'] },
  { aspectName: 'nativeGroupMembership', path: ['nativeGroups'] },
];
const ROLES: Place = { aspectName: 'roleMembership', path: ['roles'] };
const CONTAINER: Place = { aspectName: 'container', path: ['container'] };

/** Where the store has the values of fields. The type and the urn need no read. */
const PLACES: Readonly<Record<Exclude<PolicyField, 'TYPE' | 'URN'>, readonly Place[]>> = {
  OWNER: [{ aspectName: 'ownership', path: ['owners', 'owner'] }],
  DOMAIN: [{ aspectName: 'domains', path: ['domains'] }],
  TAG: [{ aspectName: 'globalTags', path: ['tags', 'tag'] }],
  GLOSSARY: [{ aspectName: 'glossaryTerms', path: ['terms', 'urn'] }],
  CONTAINER: [CONTAINER],
  DATA_PLATFORM_INSTANCE: [{ aspectName: 'dataPlatformInstance', path: ['instance'] }],
  GROUP_MEMBERSHIP: GROUPS,
};

/** Where the values of a field name what they are part of. An entity has these values too. */
const PARENTS: Readonly<Partial<Record<PolicyField, readonly Place[]>>> = {
  DOMAIN: [{ aspectName: 'domainProperties', path: ['parentDomain'] }],
  CONTAINER: [CONTAINER],
  GLOSSARY: [
    { aspectName: 'glossaryTermInfo', path: ['parentNode'] },
    { aspectName: 'glossaryNodeInfo', path: ['parentNode'] },
  ],
};
/** Domains and containers are nested less deeply; a circle ends here. */
const MAX_LEVELS = 32;

/** Reads groups and roles of a user; its groups' roles are its own. */
export async function readPolicyUser(store: Store, urn: string): Promise<PolicyUser> {
  const own = (await readPlaces(store, [urn], [...GROUPS, ROLES])).get(urn);
  const groups = own === undefined ? [] : GROUPS.flatMap((place) => findUrns(own, place));
  const byGroups = await readPlaces(store, groups, [ROLES]);
  const holders = [...(own === undefined ? [] : [own]), ...byGroups.values()];
  return {
    urn,
    groups: new Set(groups),
    roles: new Set(holders.flatMap((holder) => findUrns(holder, ROLES))),
  };
}

export interface KnownEntity extends PolicyEntity {
  readonly exists: boolean;
}

/** Reads the facts of entities that `fields` name, and their owners. */
export async function readPolicyEntities(
  store: Store,
  urns: readonly string[],
  fields: ReadonlySet<PolicyField>,
): Promise<ReadonlyMap<string, KnownEntity>> {
  const wanted = Object.entries(PLACES).filter(([field]) => fields.has(field as PolicyField));
  const stored = await readPlaces(store, urns, [OWNERS, ...wanted.flatMap(([, places]) => places)]);
  const values = new Map(urns.map((urn) => [urn, new Map<PolicyField, readonly string[]>(ownFields(urn))]));
  for (const [name, places] of wanted) {
    const field = name as PolicyField;
    for (const [urn, entity] of stored) {
      values.get(urn)?.set(
        field,
        places.flatMap((place) => findUrns(entity, place)),
      );
    }
    await addParents(store, field, [...values.values()]);
  }
  return new Map(
    urns.map((urn) => {
      const entity = stored.get(urn);
      const owners = entity === undefined ? [] : findOwners(entity);
      return [urn, { exists: entity !== undefined, owners, fields: values.get(urn) ?? new Map() }];
    }),
  );
}

function ownFields(urn: string): readonly (readonly [PolicyField, readonly string[]])[] {
  const parsed = parseUrn(urn);
  return [['URN', [urn]], ...('urn' in parsed ? [['TYPE', [parsed.urn.entityType]] as const] : [])];
}

/** Adds to the values of a field what they are part of, level by level. */
async function addParents(
  store: Store,
  field: PolicyField,
  entities: readonly Map<PolicyField, readonly string[]>[],
): Promise<void> {
  const places = PARENTS[field];
  if (places === undefined) return;
  const parents = new Map<string, readonly string[]>();
  let level = [...new Set(entities.flatMap((fields) => fields.get(field) ?? []))];
  for (let depth = 0; depth < MAX_LEVELS && level.length > 0; depth++) {
    const read = await readPlaces(store, level, places);
    for (const urn of level) {
      const entity = read.get(urn);
      parents.set(urn, entity === undefined ? [] : places.flatMap((place) => findUrns(entity, place)));
    }
    level = [...new Set(level.flatMap((urn) => parents.get(urn) ?? []))].filter((urn) => !parents.has(urn));
  }
  for (const fields of entities) {
    const reached = new Set(fields.get(field) ?? []);
    // A set shows values that are added during the walk.
    for (const urn of reached) for (const parent of parents.get(urn) ?? []) reached.add(parent);
    fields.set(field, [...reached]);
  }
}

/** Reads the aspects of places; entities that do not exist are left out, and so are texts that are no urns. */
async function readPlaces(
  store: Store,
  urns: readonly string[],
  places: readonly Place[],
): Promise<ReadonlyMap<string, StoredEntity>> {
  const named = [...new Set(urns)].filter((urn) => 'urn' in parseUrn(urn));
  const aspectNames = [...new Set(places.map(({ aspectName }) => aspectName))];
  const found = new Map<string, StoredEntity>();
  for await (const { entities } of readEntityPages(store, named, { aspectNames })) {
    for (const entity of entities) if (!entity.deleted) found.set(entity.urn, entity);
  }
  return found;
}

function findOwners(entity: StoredEntity): PolicyEntity['owners'] {
  return findValues(entity, OWNERS).flatMap((owner) => {
    if (!isJsonObject(owner) || typeof owner.owner !== 'string') return [];
    const { owner: urn, typeUrn } = owner;
    return [{ urn, ...(typeof typeUrn === 'string' ? { typeUrn } : {}) }];
  });
}

function findUrns(entity: StoredEntity, place: Place): readonly string[] {
  return findValues(entity, place).filter((value) => typeof value === 'string');
}

function findValues({ aspects }: StoredEntity, { aspectName, path }: Place): readonly JsonValue[] {
  const aspect = aspects.find(({ name }) => name === aspectName);
  if (aspect === undefined) return [];
  return path.reduce<readonly JsonValue[]>(
    (values, member) =>
      values.flatMap((value) => {
        const inner = isJsonObject(value) ? value[member] : undefined;
        return Array.isArray(inner) ? inner : [inner ?? null];
      }),
    [parseJson(aspect.value)],
  );
}
