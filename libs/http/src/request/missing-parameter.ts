import { InvalidRequestError, nearestName } from '@stratalog/model';

/**
 * The rejection of a call without a parameter that it needs, in the reference's wording. It names all others that are missing too, and a
 * given one that is most likely the missing one misspelt.
 */
export function missingParameter(
  name: string,
  { others, given }: { readonly others: readonly string[]; readonly given: readonly string[] },
): InvalidRequestError {
  const more = others.length === 0 ? '' : `, and so is ${others.map((other) => `'${other}'`).join(', ')}`;
  const near = nearestName(name, given);
  const meant = near === undefined ? '' : `; did you mean it by '${near}'?`;
  return new InvalidRequestError(`Parameter '${name}' is required${more}${meant}`);
}
