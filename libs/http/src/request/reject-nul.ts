import { InvalidRequestError } from '@stratalog/domain';

const NUL = '%00';

/**
 * Rejects a target that holds an encoded NUL character: no urn, name or value contains one, and no store can
 * match one.
 *
 * **Errors**: `InvalidRequestError` that names the parameter, or the path.
 */
export function rejectNul(target: string): void {
  if (!target.includes(NUL)) return;
  const queryAt = target.indexOf('?');
  const path = queryAt === -1 ? target : target.slice(0, queryAt);
  if (path.includes(NUL)) throw new InvalidRequestError(`The path '${path}' holds a NUL character (%00)`);
  const pair = target
    .slice(queryAt + 1)
    .split('&')
    .find((each) => each.includes(NUL));
  const [name = '', value = ''] = pair?.split('=', 2) ?? [];
  throw new InvalidRequestError(
    `Argument parameter '${name}' value '${value}' is invalid: it must not hold a NUL character (%00)`,
  );
}
