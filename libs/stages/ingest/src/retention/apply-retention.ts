import { InvalidRequestError, didYouMean } from '@stratalog/model';
import type { AspectRef, NumberedAspect, RetentionStore } from '@stratalog/ports';
import { requireEntityType, type EntityRegistry, type EntityType } from '@stratalog/registry';
import { applyRetention, type RetentionDeps } from '@stratalog/retention';

export interface RetentionQuery {
  /** Aspects that are passed over first, in the order of their urns and names. */
  readonly start: number;
  readonly count: number;
  /** Aspects whose newest number is lower are passed over. */
  readonly attemptWithVersion: number;
  readonly aspectName?: string | undefined;
  readonly urn?: string | undefined;
}

/** Aspects in one read. */
const PAGE = 1_000;

/**
 * Applies the policies now to a page of the store's aspects, or to those of one entity, without waiting for the clock.
 *
 * **Shape**: text for people, `{args={start=…}, result={aspects=…, cut=…, versions=…}}`: aspects that were looked at, those of which something
 * was erased, and the versions whose values were.
 *
 * **Errors**: `InvalidRequestError` for a urn that is malformed or of an unknown type, and for an aspect that no entity type has, or
 * not that of the urn.
 */
export async function applyRetentionTo(
  parts: RetentionDeps,
  registry: EntityRegistry,
  question: RetentionQuery,
): Promise<string> {
  rejectUnknown(registry, question);
  // Who has just written a policy through another process means that one.
  parts.policies.forget();
  const sum = { aspects: 0, cut: 0, versions: 0 };
  for await (const aspects of pagesOf(parts.store, question)) {
    const page = await applyRetention(parts, aspects);
    sum.aspects += page.aspects.length;
    sum.cut += page.cut;
    sum.versions += page.versions;
  }
  const { start, count, attemptWithVersion, aspectName = null, urn = null } = question;
  const args = toText({ start, count, attemptWithVersion, aspectName, urn });
  return toText({ args, result: toText(sum) });
}

function rejectUnknown(registry: EntityRegistry, { urn, aspectName }: RetentionQuery): void {
  let concerned: readonly EntityType[] = registry.entityTypes;
  if (urn !== undefined) {
    const entity = requireEntityType(registry, urn);
    if ('fault' in entity) throw new InvalidRequestError(`Parameter 'urn': ${urn}: ${entity.fault}`);
    concerned = [entity.entityType];
  }
  if (aspectName !== undefined && !concerned.some(({ aspects }) => aspects.has(aspectName))) {
    const who = urn === undefined ? 'no entity type has' : `${urn} can not have`;
    const near = didYouMean(
      aspectName,
      concerned.flatMap(({ aspects }) => [...aspects.keys()]),
    );
    throw new InvalidRequestError(`Parameter 'aspectName': ${who} an aspect ${aspectName}${near}`);
  }
}

/** The aspects that a question names, those left out that it passes over. */
async function* pagesOf(
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
  const parts = Object.entries(members).map(([name, value]) => `${name}=${String(value)}`);
  return `{${parts.join(', ')}}`;
}
