import {
  InvalidRequestError,
  didYouMean,
  parentOfColumn,
  parseUrn,
  type LineageLevel,
} from '@stratalog/domain';
import { declaresLineage, type EntityRegistry } from '@stratalog/registry';

/** Entity type of columns, which no annotation of lineage between columns names. */
const COLUMN_TYPE = 'schemaField';

/**
 * Checks that a urn can have lineage.
 *
 * **Errors**: `InvalidRequestError` for a malformed urn, and one of a type that is at no end of lineage in the model; the
 * message lists the types that are.
 */
export function requireLineageUrn(registry: EntityRegistry, urn: string): void {
  const parsed = parseUrn(urn);
  if ('fault' in parsed) throw new InvalidRequestError(`Invalid urn ${urn}: ${parsed.fault}`);
  const { entityType } = parsed.urn;
  // Most types that have lineage declare it; the list of all reads the whole model.
  const own = registry.entityType(entityType)?.aspects.values() ?? [];
  if ([...own].some(declaresLineage)) return;
  const types = lineageTypes(registry);
  if (types.includes(entityType)) return;
  throw new InvalidRequestError(
    `Parameter 'urn' is of the type ${entityType}, which has no lineage; these have: ${types.join(', ')}${didYouMean(entityType, types)}`,
  );
}

/** The level of the answer: that of the request, else that of the urn. */
export function chooseLevel(urn: string, level: LineageLevel | undefined): LineageLevel {
  return level ?? (parentOfColumn(urn) === undefined ? 'ENTITY' : 'COLUMN');
}

/** Lists the entity types at the ends of lineage, by name. */
function lineageTypes(registry: EntityRegistry): readonly string[] {
  const sources = registry.entityTypes.filter(({ aspects }) => [...aspects.values()].some(declaresLineage));
  const ends = registry.aspects.flatMap(({ relationships }) =>
    relationships.flatMap(({ isLineage, entityTypes }) => (isLineage ? entityTypes : [])),
  );
  const known = ends.flatMap((name) => registry.entityType(name)?.name ?? []);
  const columns = registry.entityType(COLUMN_TYPE)?.name ?? [];
  return [...new Set([...sources.map(({ name }) => name), ...known, ...[columns].flat()])].sort();
}
