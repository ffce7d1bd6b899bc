import { parseUrn } from '../entities/urn';

/** Entity types whose urn begins with the plain name of a platform. */
const LED_BY_PLATFORM: ReadonlySet<string> = new Set(['chart', 'dashboard', 'dataFlow', 'notebook']);

/**
 * Returns the name of the platform in a urn: of `urn:li:dataset:(urn:li:dataPlatform:kafka,a,PROD)` it is `kafka`. A job has that of
 * its flow, and a field that of its dataset. `undefined` for a urn without a platform.
 */
export function findPlatform(text: string): string | undefined {
  const parsed = parseUrn(text);
  if ('fault' in parsed) return undefined;
  const { entityType, id, parts } = parsed.urn;
  if (entityType === 'dataPlatform') return id;
  if (LED_BY_PLATFORM.has(entityType) && parts.length > 1) return parts[0];
  for (const part of parts) {
    const platform = part.startsWith('urn:') ? findPlatform(part) : undefined;
    if (platform !== undefined) return platform;
  }
  return undefined;
}
