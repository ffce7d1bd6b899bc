import {
  proposalsIn,
  type Proposal,
  type ProposalEntry,
  type StoredAspect,
  type StoredEntity,
} from '@stratalog/domain';
import type { AspectStore, DeadLetters, OpenDeadLetter } from '@stratalog/ports';
import type { EntityRegistry } from '@stratalog/registry';

export interface NewerDeps {
  readonly registry: EntityRegistry;
  readonly store: Pick<AspectStore, 'readEntities'>;
  readonly deadLetters: Pick<DeadLetters, 'isReplayStamp'>;
}

const CONDITION = 'If-Unmodified-Since';

/**
 * Looks for versions that a letter's entry would overwrite although they were written after its rejection. Those that an earlier
 * letter of the same log wrote do not count. Values of a timeseries have times of their own, and are never newer.
 *
 * Without any, it returns the entry with conditions that hold while no further version is written.
 */
export async function findNewer(
  deps: NewerDeps,
  { position, rejectedMs }: Pick<OpenDeadLetter, 'position' | 'rejectedMs'>,
  entry: ProposalEntry,
): Promise<{ readonly newer: string } | { readonly guarded: ProposalEntry }> {
  const proposals = proposalsIn(entry).filter((each) => writesVersions(deps.registry, each));
  const entities = await readAll(
    deps.store,
    proposals.map(({ urn }) => urn),
  );
  const guards = new Map<Proposal, number>();
  for (const proposal of proposals) {
    let latestMs = rejectedMs - 1;
    for (const { name, version, created } of listOverwritten(deps.registry, proposal, entities)) {
      if (created.time < rejectedMs) continue;
      if (!(await deps.deadLetters.isReplayStamp(position, proposal.urn, created.time))) {
        return {
          newer: `Version ${String(version)} of ${name} of ${proposal.urn} was written at ${toText(created.time)}, after the dead letter was rejected at ${toText(rejectedMs)}`,
        };
      }
      latestMs = Math.max(latestMs, created.time);
    }
    guards.set(proposal, latestMs);
  }
  const guard = (proposal: Proposal): Proposal => withGuard(proposal, guards.get(proposal));
  if (!('proposals' in entry)) return { guarded: guard(entry) };
  const [first, ...others] = entry.proposals;
  return { guarded: { proposals: [guard(first), ...others.map(guard)] } };
}

function writesVersions(registry: EntityRegistry, { entityType, aspectName }: Proposal): boolean {
  return registry.entityType(entityType)?.aspects.get(aspectName)?.kind === 'versioned';
}

async function readAll(
  store: NewerDeps['store'],
  urns: readonly string[],
): Promise<ReadonlyMap<string, StoredEntity>> {
  const found = new Map<string, StoredEntity>();
  for (let left: readonly string[] = [...new Set(urns)]; left.length > 0;) {
    const { entities, rest } = await store.readEntities(left);
    for (const entity of entities) found.set(entity.urn, entity);
    left = rest;
  }
  return found;
}

function listOverwritten(
  registry: EntityRegistry,
  { entityType, urn, aspectName, changeType }: Proposal,
  entities: ReadonlyMap<string, StoredEntity>,
): readonly StoredAspect[] {
  const isWhole = changeType === 'DELETE' && registry.entityType(entityType)?.keyAspect.name === aspectName;
  return entities.get(urn)?.aspects.filter(({ name }) => isWhole || name === aspectName) ?? [];
}

/** A condition of the proposal's own that asks for more stays. */
function withGuard(proposal: Proposal, latestMs: number | undefined): Proposal {
  if (latestMs === undefined) return proposal;
  const own = Date.parse(proposal.headers?.[CONDITION] ?? '');
  if (own <= latestMs) return proposal;
  return { ...proposal, headers: { ...proposal.headers, [CONDITION]: toText(latestMs) } };
}

function toText(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
