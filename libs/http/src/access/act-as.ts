import { InvalidRequestError, parseUrn, type Principal } from '@stratalog/domain';

/** Names the user on whose behalf a caller acts. */
export const ACTOR_HEADER = 'x-datahub-actor';

/**
 * Returns the principal with the actor that the header names, if it may speak for others. From any other caller the header does not count:
 * clients of DataHub send it without meaning.
 *
 * **Errors**: `InvalidRequestError` for a header that is no urn.
 */
export function actAs(principal: Principal, header: string | readonly string[] | undefined): Principal {
  if (typeof header !== 'string' || !principal.speaksForOthers) return principal;
  const parsed = parseUrn(header);
  if ('fault' in parsed) {
    throw new InvalidRequestError(`X-DataHub-Actor: "${header.slice(0, 200)}" ${parsed.fault}`);
  }
  return header === principal.actor ? principal : { ...principal, actor: header, actsForAnother: true };
}
