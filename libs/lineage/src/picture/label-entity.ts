import { parseUrn } from '@stratalog/domain';
import type { EntityLabel } from './picture';

/** Reads the label of an entity from its urn: of `(platform,name,origin)` the platform and the name. */
export function labelEntity(urn: string): EntityLabel {
  const parsed = parseUrn(urn);
  if ('fault' in parsed) return { entityType: '', name: urn };
  const { entityType, parts } = parsed.urn;
  const [first = '', second] = parts;
  if (second === undefined) return { entityType, name: first };
  return { entityType, platform: firstPart(first), name: second };
}

/** Returns the name of a column: its field path without the types of version 2, and without escapes. */
export function labelColumn(urn: string): string {
  const parsed = parseUrn(urn);
  const path = 'urn' in parsed ? (parsed.urn.parts[1] ?? urn) : urn;
  const plain = path
    .replace(/\[(?:version|type|key)=[^\]]*\]\.?/g, '')
    .replace(/%(?:28|29|2C)/gi, (escaped) => decodeURIComponent(escaped));
  return plain === '' ? path : plain;
}

/** Returns the first part of a urn, such as the name of a platform, and any other text unchanged. */
function firstPart(text: string): string {
  const parsed = parseUrn(text);
  return 'urn' in parsed ? (parsed.urn.parts[0] ?? text) : text;
}
