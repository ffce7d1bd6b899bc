import { randomUUID } from 'node:crypto';
import type { CallScope } from '../call-scope';
import { PRIORITIES } from '../fields/part-resolvers';
import { propose, requireExisting } from './propose';

interface SentStatus {
  readonly state: string;
  readonly stage?: string | null;
  readonly message?: string | null;
}

export interface SentIncident {
  readonly type: string;
  readonly customType?: string | null;
  readonly title?: string | null;
  readonly description?: string | null;
  readonly resourceUrn?: string | null;
  readonly resourceUrns?: readonly string[] | null;
  readonly startedAt?: number | bigint | null;
  readonly source?: { readonly type: string } | null;
  readonly status?: SentStatus | null;
  readonly priority?: (typeof PRIORITIES)[number] | null;
  readonly assigneeUrns?: readonly string[] | null;
}

/** Raises an incident about entities, and returns its urn. **Errors**: those of the proposal; also for an entity that does not exist. */
export async function raiseIncident(scope: CallScope, sent: SentIncident): Promise<string> {
  const named = [
    ...(sent.resourceUrns ?? []),
    ...(typeof sent.resourceUrn === 'string' ? [sent.resourceUrn] : []),
  ];
  const entities = [...new Set(named)];
  await requireExisting(scope, entities);
  await requireExisting(scope, sent.assigneeUrns ?? [], 'corpuser', 'corpGroup');
  const stamp = stampOf(scope);
  const urn = `urn:${scope.deps.registry.urnNamespace}:incident:${randomUUID()}`;
  const [priority, assignees] = [sent.priority ?? undefined, sent.assigneeUrns ?? undefined];
  const value = {
    type: sent.type,
    customType: sent.customType ?? undefined,
    title: sent.title ?? undefined,
    description: sent.description ?? undefined,
    entities,
    startedAt: sent.startedAt ?? undefined,
    source: { type: sent.source?.type ?? 'MANUAL' },
    status: toStatus(scope, sent.status ?? { state: 'ACTIVE' }),
    created: stamp,
    ...(priority === undefined ? {} : { priority: PRIORITIES.indexOf(priority) }),
    ...(assignees === undefined
      ? {}
      : { assignees: assignees.map((actor) => ({ actor, assignedAt: stamp })) }),
  };
  await propose(scope, [{ urn, aspectName: 'incidentInfo', value }]);
  return urn;
}

/** Changes the state of an incident. **Errors**: those of {@link raiseIncident}. */
export async function updateIncidentStatus(scope: CallScope, urn: string, sent: SentStatus): Promise<true> {
  await requireExisting(scope, [urn], 'incident');
  const operations = [{ op: 'replace', steps: ['status'], value: toStatus(scope, sent) }] as const;
  return propose(scope, [{ urn, aspectName: 'incidentInfo', operations, keys: {} }]);
}

function toStatus(scope: CallScope, { state, stage, message }: SentStatus) {
  return { state, stage: stage ?? undefined, message: message ?? undefined, lastUpdated: stampOf(scope) };
}

function stampOf({ deps, actor }: CallScope) {
  return { time: deps.clock.now(), actor };
}
