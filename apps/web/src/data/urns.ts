/** The parts of a urn that pages show. Any text is taken: references in metadata may be wrong. */
export interface UrnParts {
  readonly type: string;
  /** The parts of the key, in order; one when the key is no tuple. */
  readonly key: readonly string[];
}

const URN = /^urn:[^:]*:([^:]*):(.*)$/s;
/** Ends keys of many types, and tells nobody what an entity is called. */
const ENVIRONMENT = /^[A-Z_]+$/;

export function splitUrn(urn: string): UrnParts {
  const [, type = '', id = urn] = URN.exec(urn) ?? [];
  return { type, key: id.startsWith('(') && id.endsWith(')') ? splitTuple(id.slice(1, -1)) : [id] };
}

/** True for the user whose name what the catalog writes by itself bears, and who the operator is without another one. */
export function isSystem(urn: string): boolean {
  return /^urn:[^:]*:corpuser:__datahub_system$/.test(urn);
}

/** A short name for an entity about which nothing else is known. */
export function nameFromUrn(urn: string): string {
  if (isSystem(urn)) return 'System';
  const { key } = splitUrn(urn);
  const own = key.filter((part) => !URN.test(part));
  return own.find((part, at) => at === own.length - 1 || !ENVIRONMENT.test(part)) ?? key.at(-1) ?? urn;
}

/** Commas inside of parentheses belong to a part. */
function splitTuple(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let begin = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const character = text[at];
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (at < text.length && (character !== ',' || depth > 0)) continue;
    parts.push(text.slice(begin, at));
    begin = at + 1;
  }
  return parts;
}

/** A text that has the form of a urn. */
export type Urn = string & { readonly isUrn?: never };

export function isUrn(value: unknown): value is Urn {
  return typeof value === 'string' && URN.test(value) && value.length < 2_000;
}
