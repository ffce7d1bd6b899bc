import { InvalidRequestError, didYouMean } from '@stratalog/domain';
import type { AspectRef, NumberedAspect, RetentionStore } from '@stratalog/ports';
import { requireEntityType, type EntityRegistry, type EntityType } from '@stratalog/registry';
import { applyRetention, type RetentionDeps } from '@stratalog/retention';

export interface RetentionQuery {
  /** Number of aspects to skip, ordered by urn and name. */
  readonly start: number;
  readonly count: number;
  /** Skips aspects whose latest version is lower. */
  readonly attemptWithVersion: number;
  readonly aspectName?: string | undefined;
  readonly urn?: string | undefined;
}

/** Aspects in one read. */
const PAGE = 1_000;

/**
 * Applies the retention policies now to a page of all aspects, or to the aspects of one entity.
 *
 * **Shape**: text for people, `{args={start=…}, result={aspects=…, cut=…, versions=…}}`: inspected aspects, truncated
 * aspects, and purged versions.
 *
 * **Errors**: `InvalidRequestError` for a urn that is malformed or of an unknown type, and for an aspect that no
 * entity type, or not the type of the urn, has.
 */
export async function applyRetentionTo(
  deps: RetentionDeps & { readonly registry: EntityRegistry },
  query: RetentionQuery,
): Promise<string> {
  rejectUnknown(deps.registry, query);
  // Reloads the policies, so that a policy just written through another process applies.
  deps.policies.forget();
  const sum = { aspects: 0, cut: 0, versions: 0 };
  for await (const aspects of readPages(deps.store, query)) {
    const page = await applyRetention(deps, aspects);
    sum.aspects += page.checked;
    sum.cut += page.cut.size;
    sum.versions += page.versions;
  }
  const { start, count, attemptWithVersion, aspectName = null, urn = null } = query;
  const args = toText({ start, count, attemptWithVersion, aspectName, urn });
  return toText({ args, result: toText(sum) });
}

function rejectUnknown(registry: EntityRegistry, { urn, aspectName }: RetentionQuery): void {
  let candidates: readonly EntityType[] = registry.entityTypes;
  if (urn !== undefined) {
    const entity = requireEntityType(registry, urn);
    if ('fault' in entity) throw new InvalidRequestError(`Parameter 'urn': ${urn}: ${entity.fault}`);
    candidates = [entity.entityType];
  }
  if (aspectName !== undefined && !candidates.some(({ aspects }) => aspects.has(aspectName))) {
    const subject = urn === undefined ? 'no entity type has' : `${urn} can not have`;
    const near = didYouMean(
      aspectName,
      candidates.flatMap(({ aspects }) => [...aspects.keys()]),
    );
    throw new InvalidRequestError(`Parameter 'aspectName': ${subject} an aspect ${aspectName}${near}`);
  }
}

/** Pages through the aspects of a query, without the skipped ones. */
async function* readPages(
  store: RetentionStore,
  { start, count, attemptWithVersion, aspectName, urn }: RetentionQuery,
): AsyncGenerator<readonly NumberedAspect[]> {
  let after: AspectRef | undefined = urn === undefined ? undefined : { urn, aspectName: '' };
  const end = start + count;
  for (let at = 0; at < end;) {
    const limit = Math.min(PAGE, end - at);
    const read = await store.aspectsAfter(after, limit);
    const own = urn === undefined ? read : read.filter((each) => each.urn === urn);
    yield own
      .slice(Math.max(0, start - at))
      .filter(
        (each) =>
          each.newest >= attemptWithVersion && (aspectName === undefined || each.aspectName === aspectName),
      );
    if (own.length < limit) return;
    at += own.length;
    after = own.at(-1);
  }
}

function toText(members: Readonly<Record<string, string | number | null>>): string {
  const pairs = Object.entries(members).map(([name, value]) => `${name}=${String(value)}`);
  return `{${pairs.join(', ')}}`;
}
