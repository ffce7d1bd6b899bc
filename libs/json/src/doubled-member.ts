import type { JsonValue } from './json';

const QUOTE = '"';

/** Counts the members of all objects in a value. */
export function membersIn(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const element of value) count += membersIn(element);
    return count;
  }
  for (const name in value) {
    count += 1 + membersIn(value[name] ?? null);
  }
  return count;
}

/**
 * Finds the first member name that occurs twice in one object of a JSON text, with escapes decoded. `undefined` when
 * there is none.
 */
export function doubledMemberIn(text: string): string | undefined {
  const open: Set<string>[] = [];
  let written = '';
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === QUOTE) {
      const from = at++;
      while (text[at] !== QUOTE) at += text[at] === '\\' ? 2 : 1;
      written = text.slice(from, at + 1);
    } else if (character === '{' || character === '[') open.push(new Set());
    else if (character === '}' || character === ']') open.pop();
    else if (character === ':') {
      const name = String(JSON.parse(written));
      const members = open.at(-1);
      if (members?.has(name) === true) return name;
      members?.add(name);
    }
  }
  return undefined;
}
