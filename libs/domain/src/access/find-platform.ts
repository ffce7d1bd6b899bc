import { parseUrn } from '../entities/urn';

/** Entity types whose key begins with the plain name of a platform. */
const LED_BY_NAME: ReadonlySet<string> = new Set(['chart', 'dashboard', 'dataFlow', 'notebook']);
/** Entity types whose key begins with the urn of a platform, or of an entity that has one. */
const LED_BY_URN: ReadonlySet<string> = new Set([
  'dataJob',
  'dataPlatformInstance',
  'dataset',
  'metric',
  'mlFeatureTable',
  'mlModel',
  'mlModelDeployment',
  'mlModelGroup',
  'schemaField',
  'semanticModel',
]);

/**
 * Returns the name of the platform in a urn: of `urn:li:dataset:(urn:li:dataPlatform:kafka,a,PROD)` it is `kafka`. A job has that of
 * its flow, and a field that of its dataset. `undefined` for a urn without a platform.
 *
 * Entities of other types have none, whatever their urn contains: a key of one field takes any text, so that any caller could put a platform
 * into the urn of a metadata test or of a policy.
 */
export function findPlatform(text: string): string | undefined {
  const parsed = parseUrn(text);
  if ('fault' in parsed) return undefined;
  const { entityType, id, parts } = parsed.urn;
  if (entityType === 'dataPlatform') return id;
  const [first] = parts;
  if (first === undefined || parts.length < 2) return undefined;
  if (LED_BY_NAME.has(entityType)) return first;
  return LED_BY_URN.has(entityType) ? findPlatform(first) : undefined;
}
