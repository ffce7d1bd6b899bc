import type { JsonValue } from '@stratalog/json';

const MAX_SHOWN = 80;

/** Shows the start of a value, in a message. */
export function show(sent: JsonValue): string {
  if (typeof sent === 'object' && sent !== null) return Array.isArray(sent) ? 'a list' : 'an object';
  return cut(String(sent), MAX_SHOWN);
}

/** Cuts a text that is longer than so many characters. */
export function cut(text: string, characters: number): string {
  return text.length > characters ? `${text.slice(0, characters)}…` : text;
}
