import type { JsonValue } from '@stratalog/model';

const STEP = '  ';

/** JSON text for people, two blanks a level, long integers digit by digit. */
export function prettyJson(value: JsonValue, indent = ''): string {
  if (typeof value === 'bigint') return value.toString();
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const inner = indent + STEP;
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    return `[\n${value.map((item) => inner + prettyJson(item, inner)).join(',\n')}\n${indent}]`;
  }
  const members = Object.entries(value);
  if (members.length === 0) return '{}';
  const lines = members.map(([name, item]) => `${inner}${JSON.stringify(name)}: ${prettyJson(item, inner)}`);
  return `{\n${lines.join(',\n')}\n${indent}}`;
}
