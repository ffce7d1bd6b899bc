/**
 * The urn grammar: `urn:<namespace>:<entityType>:<id>`, where the id is one part or a tuple `(part,part,...)`. A part may
 * itself be a urn with its own tuple, so commas split a tuple only outside nested parentheses.
 */
export interface Urn {
  readonly namespace: string;
  readonly entityType: string;
  /** The id as written, with its parentheses when it is a tuple. */
  readonly id: string;
  /** The parts of the id: one for a plain id, several for a tuple. */
  readonly parts: readonly string[];
}

export type UrnResult = { readonly urn: Urn } | { readonly fault: string };

/** Longest urn, in bytes of its percent-encoded form. `schemaField` urns hold a whole dataset urn and may be longer. */
export const MAX_URN_BYTES = 512;
export const MAX_SCHEMA_FIELD_URN_BYTES = 2048;

/** Reserved: browse paths and patch keys join their parts with it. */
const UNIT_SEPARATOR = '\u241f';
const SCHEME = 'urn:';

/** Parses a urn, or says in one sentence what is wrong with it. */
export function parseUrn(text: string): UrnResult {
  if (text.trim() !== text) return { fault: 'cannot provide a URN with leading or trailing whitespace' };
  if (!text.startsWith(SCHEME)) return { fault: `must start with "${SCHEME}"` };
  const namespaceEnd = text.indexOf(':', SCHEME.length);
  const typeEnd = namespaceEnd < 0 ? -1 : text.indexOf(':', namespaceEnd + 1);
  if (typeEnd < 0) return { fault: 'must have the form urn:<namespace>:<entityType>:<id>' };
  const namespace = text.slice(SCHEME.length, namespaceEnd);
  const entityType = text.slice(namespaceEnd + 1, typeEnd);
  const id = text.slice(typeEnd + 1);
  if (namespace === '' || entityType === '' || id === '') {
    return { fault: 'must have the form urn:<namespace>:<entityType>:<id>, none of them empty' };
  }
  const limit = entityType === 'schemaField' ? MAX_SCHEMA_FIELD_URN_BYTES : MAX_URN_BYTES;
  const tooLong = { fault: `cannot provide a URN longer than ${String(limit)} bytes (when URL encoded)` };
  // No character has less than one byte: what is megabytes long is not looked at further.
  if (text.length > limit) return tooLong;
  if (text.includes(UNIT_SEPARATOR)) return { fault: 'must not contain the character U+241F' };
  if (hasControlOrLoneSurrogate(text)) {
    return { fault: 'must not contain control characters or unpaired surrogates' };
  }
  if (encodedLength(text) > limit) return tooLong;
  const parts = id.startsWith('(') ? tupleParts(id) : [id];
  if (parts === undefined) return { fault: 'has unbalanced parentheses' };
  if (parts.some((part) => part === '')) return { fault: 'has an empty part' };
  return { urn: { namespace, entityType, id, parts } };
}

/** Splits `(a,(b,c),d)` at its outer commas; `undefined` when its parentheses do not balance or do not enclose it. */
function tupleParts(id: string): string[] | undefined {
  const parts: string[] = [];
  let depth = 0;
  let start = 1;
  for (let at = 0; at < id.length; at++) {
    const character = id[at];
    if (character === '(') depth++;
    else if (character === ')') {
      depth--;
      if (depth < 0) return undefined;
      if (depth === 0) {
        if (at !== id.length - 1) return undefined;
        parts.push(id.slice(start, at));
      }
    } else if (character === ',' && depth === 1) {
      parts.push(id.slice(start, at));
      start = at + 1;
    }
  }
  return depth === 0 ? parts : undefined;
}

function hasControlOrLoneSurrogate(text: string): boolean {
  // eslint-disable-next-line no-control-regex -- the very characters that are rejected
  return /[\u0000-\u001f\u007f]/.test(text) || /\p{Surrogate}/u.test(text);
}

/** Length of the percent-encoded form: letters, digits and `-_.!~*'()` count one byte, all else three a byte. */
function encodedLength(text: string): number {
  return encodeURIComponent(text).length;
}
