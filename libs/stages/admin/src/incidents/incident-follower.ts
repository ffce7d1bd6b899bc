import { entityTypeIn, type ChangeKey, type PartitionSequences } from '@stratalog/domain';
import type { ConsumerCheckpoints, TaskStore } from '@stratalog/ports';
import { findEntityType } from '@stratalog/registry';
import type { TaskKind } from '@stratalog/tasks';
import { ChangeConsumer } from '../change-consumer';
import { systemActor } from '../system-actor';
import { INCIDENT, hasIncidents } from './incident-urns';
import { INCIDENTS_SUMMARY } from './incidents-summary';
import type { IncidentsDeps, IncidentsParameters } from './incidents-task';
import { INCIDENT_INFO } from './summarize-incident';

export interface FollowIncidentsDeps extends Pick<IncidentsDeps, 'registry' | 'store'> {
  readonly checkpoints: ConsumerCheckpoints;
  readonly tasks: TaskStore;
  readonly summaries: TaskKind<IncidentsParameters>;
  /** Called after a task was created. */
  readonly onTask: () => void;
}

/** Requests that the summaries of entities follow the incidents about them. */
export class IncidentFollower extends ChangeConsumer {
  constructor(private readonly deps: FollowIncidentsDeps) {
    super('incidents', deps);
  }

  protected override async follow(
    changes: readonly ChangeKey[],
    position: PartitionSequences,
  ): Promise<void> {
    const { store, registry } = this.deps;
    const incidents = changes.filter((change) => this.isOfIncident(change));
    const created = changes.filter((change) => this.isCreation(change));
    // Most catalogs have none, and need not ask for those of each new entity.
    const isAsked = created.length > 0 && (incidents.length > 0 || (await hasIncidents(store, registry)));
    const urns = new Set([...incidents, ...(isAsked ? created : [])].map(({ urn }) => urn));
    if (urns.size > 0) await this.request([...urns], position);
  }

  protected override async lookAtEverything(sequences: PartitionSequences): Promise<void> {
    const { store, registry } = this.deps;
    if (await hasIncidents(store, registry)) await this.request(null, sequences);
  }

  private async request(urns: readonly string[] | null, position: PartitionSequences): Promise<void> {
    const parameters = { urns: urns === null ? null : [...urns], position: Object.fromEntries(position) };
    await this.deps.tasks.create(this.deps.summaries.newTask(parameters, systemActor(this.deps.registry)));
    this.deps.onTask();
  }

  /** The key aspect changes when an incident is deleted. */
  private isOfIncident({ urn, aspectName }: ChangeKey): boolean {
    if (entityTypeIn(urn) !== INCIDENT) return false;
    const key = findEntityType(this.deps.registry, urn)?.keyAspect.name;
    return [INCIDENT_INFO, 'status', key].includes(aspectName);
  }

  private isCreation({ urn, aspectName }: ChangeKey): boolean {
    const type = findEntityType(this.deps.registry, urn);
    return type?.keyAspect.name === aspectName && type.aspects.has(INCIDENTS_SUMMARY);
  }
}
