import { InvalidRequestError, nearestName } from '@stratalog/domain';

/**
 * Makes the rejection of a call that lacks a required parameter, in the wording of DataHub. The rejection
 * also names all other missing parameters, and a given one that is probably the missing one misspelt.
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
