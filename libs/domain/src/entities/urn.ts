/**
 * A parsed urn. Grammar: `urn:<namespace>:<entityType>:<id>`, where the id is one part or a tuple `(part,part,...)`.
 * A part may itself be a urn with its own tuple, so only commas outside nested parentheses split a tuple.
 */
export interface Urn {
  readonly namespace: string;
  readonly entityType: string;
  /** The id as sent, including the parentheses of a tuple. */
  readonly id: string;
  /** The parts of the id: one for a plain id, several for a tuple. */
  readonly parts: readonly string[];
}

export type UrnResult = { readonly urn: Urn } | { readonly fault: string };

/** Longest urn, except those of columns. **Units**: bytes of the percent-encoded form. */
export const MAX_URN_BYTES = 512;
/**
 * Longest urn of a column that is an entity: the indices of the store hold it. A value may name a longer one, because a column may
 * have any path. **Units**: bytes of the percent-encoded form.
 */
export const MAX_SCHEMA_FIELD_URN_BYTES = 2048;
/** Longest urn of a column that is the end of an edge. **Units**: characters. */
export const MAX_EDGE_URN_LENGTH = 65_536;
/** Entity type of columns. */
export const COLUMN_TYPE = 'schemaField';

/** Reserved character: browse paths and patch keys use it as separator. */
const UNIT_SEPARATOR = '\u241f';
const SCHEME = 'urn:';

/** Most cached urns. A request parses its own at each border that it passes. */
const MAX_KNOWN = 1_024;
const known = new Map<string, UrnResult>();

/** Parses a urn, or returns its first fault as one sentence. */
export function parseUrn(text: string): UrnResult {
  const before = known.get(text);
  if (before !== undefined) return before;
  const result = readUrn(text);
  if ('fault' in result) return result;
  if (text.length > MAX_SCHEMA_FIELD_URN_BYTES) return result;
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(text, result);
  return result;
}

/** Returns the fault of a valid urn that is too long for an entity; `undefined` when they can hold it. */
export function lengthFault(text: string): string | undefined {
  const isShort = text.length * MAX_ENCODED_BYTES <= MAX_SCHEMA_FIELD_URN_BYTES;
  if (isShort || encodedLength(text) <= MAX_SCHEMA_FIELD_URN_BYTES) return undefined;
  return tooLong(MAX_SCHEMA_FIELD_URN_BYTES);
}

/** Most bytes of one UTF-16 code unit when encoded: three bytes of UTF-8, each as three characters. */
const MAX_ENCODED_BYTES = 9;

function tooLong(limit: number): string {
  return `cannot provide a URN longer than ${String(limit)} bytes (when URL encoded)`;
}

function readUrn(text: string): UrnResult {
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
  const limit = entityType === COLUMN_TYPE ? Infinity : MAX_URN_BYTES;
  // Every character takes at least one byte, so this check spares the scans below for megabytes of text.
  if (text.length > limit) return { fault: tooLong(limit) };
  if (text.includes(UNIT_SEPARATOR)) return { fault: 'must not contain the character U+241F' };
  if (hasControlOrLoneSurrogate(text)) {
    return { fault: 'must not contain control characters or unpaired surrogates' };
  }
  if (limit !== Infinity && encodedLength(text) > limit) return { fault: tooLong(limit) };
  const parts = id.startsWith('(') ? tupleParts(id) : [id];
  if (parts === undefined) return { fault: 'has unbalanced parentheses' };
  if (parts.some((part) => part === '')) return { fault: 'has an empty part' };
  return { urn: { namespace, entityType, id, parts } };
}

/** Returns the name of the entity type that a urn contains; empty when the text is not a urn. */
export function entityTypeIn(urn: string): string {
  const parsed = parseUrn(urn);
  return 'urn' in parsed ? parsed.urn.entityType : '';
}

/**
 * Splits `(a,(b,c),d)` at its outer commas; `undefined` when the parentheses do not balance or do not enclose the id.
 */
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

// eslint-disable-next-line no-control-regex -- the very characters that are rejected
const CONTROL = /[\u0000-\u001f\u007f]/;
const LONE_SURROGATE = /\p{Surrogate}/u;

function hasControlOrLoneSurrogate(text: string): boolean {
  return CONTROL.test(text) || LONE_SURROGATE.test(text);
}

/**
 * Length of the percent-encoded form: letters, digits and `-_.!~*'()` take one byte, every other byte of UTF-8 takes
 * three.
 */
function encodedLength(text: string): number {
  return encodeURIComponent(text).length;
}
