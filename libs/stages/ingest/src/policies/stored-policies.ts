import { parseJson } from '@stratalog/json';
import { Cached, readEntitiesWith } from '@stratalog/concurrency';
import type { AspectStore } from '@stratalog/ports';
import type { AccessPolicy } from './access-policy';
import { parsePolicy } from './parse-policy';

const ENTITY_TYPE = 'dataHubPolicy';
const POLICY_INFO = 'dataHubPolicyInfo';
/** A policy that any process writes decides here after at most this time: that of a revoked token. */
const MAX_AGE_MS = 5_000;

interface StoredPoliciesDeps {
  readonly store: Pick<AspectStore, 'urnsWith' | 'readEntities'>;
  readonly registry: { readonly urnNamespace: string };
}

/** The policies of the catalog, at most five seconds old. */
export class StoredPolicies {
  private readonly policies = new Cached(() => this.readAll(), MAX_AGE_MS);

  constructor(private readonly deps: StoredPoliciesDeps) {}

  /** **Errors**: `UnavailableError` when the policies must be read and the store does not answer. */
  current(): Promise<readonly AccessPolicy[]> {
    return this.policies.current();
  }

  private async readAll(): Promise<readonly AccessPolicy[]> {
    const { store, registry } = this.deps;
    const prefix = `urn:${registry.urnNamespace}:${ENTITY_TYPE}:`;
    const policies: AccessPolicy[] = [];
    for await (const { urn, aspects } of readEntitiesWith(store, prefix, [POLICY_INFO]))
      for (const { value } of aspects) policies.push(parsePolicy(urn, parseJson(value)));
    return policies;
  }
}
