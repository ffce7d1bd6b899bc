/**
 * Builds a token of one field as a keyword: `.field:token`, and `.field:` for "has a value". Words never start with a
 * dot, so a prefix search of words cannot match a field's tokens.
 */
export function scoped(field: string | undefined, token: string): string {
  return field === undefined ? token : `.${field}:${token}`;
}

/** Builds the token of a value for autocompletion; no other token of a field begins with its mark. */
export function completionToken(field: string, value: string): string {
  return scoped(field, `=${value}`);
}

/**
 * Builds the same as `scoped` for placed text, in which only letters and digits stay together: a capital that no token begins with,
 * the length of the field's name, the name, the token.
 */
export function placedScope(field: string | undefined): (token: string) => string {
  if (field === undefined) return (token) => token;
  const written = /^[A-Za-z0-9]+$/.test(field) ? `F${field.length}L${field}` : hexScope(field);
  return (token) => written + token;
}

function hexScope(field: string): string {
  const hex = Buffer.from(field).toString('hex');
  return `G${hex.length}L${hex}`;
}
