import type { NamedSchema, Schema } from './schema';

/** Formats a type as PDL on one line. `nameOf` formats names; the caller writes `optional`. */
export function typeText(schema: Schema, nameOf: (named: NamedSchema) => string): string {
  switch (schema.kind) {
    case 'primitive':
      return schema.name;
    case 'array':
      return `array[${typeText(schema.items, nameOf)}]`;
    case 'map':
      return `map[string, ${typeText(schema.values, nameOf)}]`;
    case 'union':
      return `union[${schema.members
        .map(({ key, aliased, type }) => `${aliased ? `${key}: ` : ''}${typeText(type, nameOf)}`)
        .join(', ')}]`;
    case 'record':
    case 'enum':
    case 'typeref':
    case 'fixed':
      return nameOf(schema);
  }
}
