/** A JSON value; members that are `undefined` are left out. */
type Printable = null | boolean | number | bigint | string | readonly Printable[] | PrettyObject;
export interface PrettyObject {
  readonly [member: string]: Printable | undefined;
}

const STEP = '  ';

/** Characters that JSON permits unescaped but a terminal interprets, and those that reorder text. */
const RAW_CONTROLS = /[\u007f-\u009f\p{Bidi_Control}\u2028\u2029]/gu;

/**
 * Formats JSON for people: two blanks a level, all digits of long integers, every control character escaped.
 */
export function prettyJson(value: Printable, indent = ''): string {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'string') return quoted(value);
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const inner = indent + STEP;
  if (isList(value)) {
    if (value.length === 0) return '[]';
    return `[\n${value.map((item) => inner + prettyJson(item, inner)).join(',\n')}\n${indent}]`;
  }
  const lines = Object.entries(value).flatMap(([name, item]) =>
    item === undefined ? [] : `${inner}${quoted(name)}: ${prettyJson(item, inner)}`,
  );
  if (lines.length === 0) return '{}';
  return `{\n${lines.join(',\n')}\n${indent}}`;
}

function isList(value: Printable): value is readonly Printable[] {
  return Array.isArray(value);
}

function quoted(text: string): string {
  return JSON.stringify(text).replace(
    RAW_CONTROLS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
