import { InvalidRequestError, parseUrn } from '@stratalog/domain';
import type { EntityRegistry } from '@stratalog/registry';

/** Requires the urn of a test. **Errors**: `InvalidRequestError` that says what is wrong with it. */
export function requireTestUrn({ urnNamespace }: Pick<EntityRegistry, 'urnNamespace'>, urn: string): void {
  const parsed = parseUrn(urn);
  if ('fault' in parsed) throw new InvalidRequestError(`Invalid urn ${urn}: ${parsed.fault}`);
  if (parsed.urn.entityType !== 'test' || parsed.urn.namespace !== urnNamespace) {
    throw new InvalidRequestError(`Invalid urn ${urn}: must be the urn of a test`);
  }
}
