import { parseUrn } from '@stratalog/domain';
import { parseJson, valueAt, type JsonValue } from '@stratalog/json';
import { Cached, readEntitiesWith } from '@stratalog/concurrency';
import type { AspectStore } from '@stratalog/ports';
import { ruleKey, type RetentionPolicy, type RetentionRules } from './plan-truncations';

const ENTITY_TYPE = 'dataHubRetention';
const ASPECT = 'dataHubRetentionConfig';
/** Maximum age of the cache: a policy that another process writes applies here after at most this time. */
const REFRESH_MS = 10_000;

export interface RetentionPoliciesOptions {
  readonly store: Pick<AspectStore, 'urnsWith' | 'readEntities'>;
  readonly urnNamespace: string;
  readonly fallback: RetentionPolicy;
}

/** Caches the stored policies. It reads them again after `REFRESH_MS`, and at once after this process writes one. */
export class RetentionPolicies {
  private readonly rules = new Cached(() => this.readAll(), REFRESH_MS);

  constructor(private readonly options: RetentionPoliciesOptions) {}

  /** **Errors**: `UnavailableError` when the policies must be read and the store does not answer. */
  current(): Promise<RetentionRules> {
    return this.rules.current();
  }

  /** Drops the cache if `urns`, which were just written, include a policy. */
  written(urns: Iterable<string>): void {
    for (const urn of urns) if (urn.startsWith(this.prefix)) this.forget();
  }

  /** Drops the cache; the next call reads the store. */
  forget(): void {
    this.rules.forget();
  }

  private get prefix(): string {
    return `urn:${this.options.urnNamespace}:${ENTITY_TYPE}:`;
  }

  private async readAll(): Promise<RetentionRules> {
    const { store, fallback } = this.options;
    const stored = new Map<string, RetentionPolicy>();
    for await (const { urn, aspects } of readEntitiesWith(store, this.prefix, [ASPECT]))
      for (const { value } of aspects) addRule(stored, urn, parseJson(value));
    return { stored, fallback };
  }
}

function addRule(stored: Map<string, RetentionPolicy>, urn: string, value: JsonValue): void {
  const parsed = parseUrn(urn);
  if ('fault' in parsed) return;
  const [entityType = '', aspectName = ''] = parsed.urn.parts;
  const maxVersions = numberAt(value, 'version', 'maxVersions');
  const maxAgeSeconds = numberAt(value, 'time', 'maxAgeInSeconds');
  stored.set(ruleKey(entityType, aspectName), {
    ...(maxVersions === undefined ? {} : { maxVersions }),
    ...(maxAgeSeconds === undefined ? {} : { maxAgeMs: maxAgeSeconds * 1_000 }),
  });
}

function numberAt(value: JsonValue, limit: string, member: string): number | undefined {
  const limitValue = valueAt(value, ['retention', limit, member]);
  return typeof limitValue === 'number' ? limitValue : undefined;
}
