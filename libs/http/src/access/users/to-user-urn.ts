import { parseUrn } from '@stratalog/domain';

/** Longest name of a user. */
export const MAX_NAME_LENGTH = 256;
const NOT_STORED = /[\p{Cc}\p{Surrogate}]/u;
/** Names of the operator, of callers without a name, and of the catalog itself. */
const RESERVED = /^(?:admin|unknown|__datahub_.*)$/i;

/**
 * Returns the urn of a user that another system names. Characters that have a meaning in urns are encoded, so that no name can look like
 * another's urn. `undefined` for a reserved name, and for one that no store or urn can hold: calls of such a user could be neither stamped nor audited.
 */
export function toUserUrn(name: string, namespace: string): string | undefined {
  if (name === '' || name.length > MAX_NAME_LENGTH || NOT_STORED.test(name) || RESERVED.test(name))
    return undefined;
  const encoded = encodeURIComponent(name)
    .replaceAll('%40', '@')
    .replace(/[()'!*]/g, encodeCharacter);
  const urn = `urn:${namespace}:corpuser:${encoded}`;
  return 'urn' in parseUrn(urn) ? urn : undefined;
}

function encodeCharacter(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
