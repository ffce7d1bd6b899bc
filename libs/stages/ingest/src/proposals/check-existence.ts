import { InvalidProposalError, rejectionAt, type Proposal, type UnknownNames } from '@stratalog/domain';
import type { Steps } from '@stratalog/json';
import { findExisting, inSlices } from '@stratalog/concurrency';
import type { AspectStore } from '@stratalog/ports';
import { listExpectedUrns, type EntityRegistry } from '@stratalog/registry';

/** Handling of a value with a urn whose entity should exist and does not. */
type UrnExistence = 'off' | 'warn' | 'reject';

export interface ExistenceDeps {
  readonly registry: EntityRegistry;
  readonly store: Pick<AspectStore, 'readEntities'>;
  /** Absent: `off`. */
  readonly urnExistence?: UrnExistence | undefined;
}

interface ExistenceCheck {
  readonly proposals: readonly Proposal[];
  /** True: a sentence begins with the index of its proposal. */
  readonly isBatch: boolean;
  readonly unknown?: UnknownNames | undefined;
}

/** A urn that a proposal of the request names, and where. */
interface Mention {
  readonly at: number;
  readonly path: string;
  readonly urn: string;
}

/**
 * Checks that entities exist that values name at places with `@UrnValidation = {"exist": true}`. An entity that the same
 * request writes exists, and so does a soft-deleted one. A patch is not checked, because its value is not known yet.
 *
 * **Errors**: `InvalidProposalError` for the first urn without an entity when the setting is `reject`. With `warn` the
 * sentences go to the warnings of the call.
 */
export async function checkExistence(
  { registry, store, urnExistence = 'off' }: ExistenceDeps,
  { proposals, isBatch, unknown }: ExistenceCheck,
): Promise<void> {
  if (urnExistence === 'off') return;
  const mentions = await inSlices(listMentions(registry, proposals));
  const written = new Set(
    proposals.filter(({ changeType }) => changeType !== 'DELETE').map(({ urn }) => urn),
  );
  const wanted = new Set(mentions.map(({ urn }) => urn).filter((urn) => !written.has(urn)));
  if (wanted.size === 0) return;
  const existing = await findExisting(store, [...wanted]);
  for (const { at, path, urn } of mentions) {
    if (!wanted.has(urn) || existing.has(urn)) continue;
    if (urnExistence === 'reject') {
      const reason = `The entity ${urn} of ${path} does not exist`;
      throw new InvalidProposalError(isBatch ? rejectionAt(at, reason) : reason);
    }
    const place = isBatch ? `/proposals/${String(at)}` : '/proposal';
    unknown?.reportSentence(`${place}/aspect/value${path} names ${urn}, which does not exist`);
  }
}

function* listMentions(registry: EntityRegistry, proposals: readonly Proposal[]): Steps<readonly Mention[]> {
  const mentions: Mention[] = [];
  for (const [at, { aspectName, value, changeType }] of proposals.entries()) {
    const aspect = registry.aspect(aspectName);
    if (aspect === undefined || value === undefined || changeType === 'PATCH' || changeType === 'DELETE')
      continue;
    for (const mention of yield* listExpectedUrns(aspect, value)) mentions.push({ at, ...mention });
  }
  return mentions;
}
