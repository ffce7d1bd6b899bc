import { NO_RUN_ID, UnavailableError, whileAlive, type Proposal, type StoredEntity } from '@stratalog/domain';
import { isJsonObject, parseJson, stringifyJson, type JsonObject, type JsonValue } from '@stratalog/json';
import { inParallel, rejectImplausible } from '@stratalog/concurrency';
import type { AspectStore, Clock, GraphIndex, ProposalSubmitter } from '@stratalog/ports';
import { findEntityType, type EntityRegistry, type EntityType } from '@stratalog/registry';
import { listReferrers } from '../list-referrers';
import { readKeyVersion } from '../read-key-version';
import { systemActor } from '../system-actor';
import {
  INCIDENTS_SUMMARY,
  placeIncident,
  summarizeInfo,
  type SummarizedIncident,
} from './incidents-summary';

export interface SummarizeDeps {
  readonly registry: EntityRegistry;
  readonly store: AspectStore;
  readonly submitter: ProposalSubmitter;
  readonly clock: Clock;
}

export const INCIDENT_INFO = 'incidentInfo';
const STATUS = 'status';
/** The relationships of `incidentsSummary`, from an entity to its incidents. */
const SUMMARIZED = ['ActiveIncidents', 'ResolvedIncidents'];
/** Entities whose summaries are written at once. */
const AT_ONCE = 16;
/** Attempts when others write the summary of the same entity at the same time. */
const ATTEMPTS = 8;

/** An incident as it is now; `entities` has those that it is about, and is empty when it is deleted, also softly. */
interface CurrentIncident {
  readonly entities: ReadonlySet<string>;
  readonly summarized: SummarizedIncident | undefined;
}

/**
 * Brings an incident up to date in the summaries of the entities that it is about, and of those that `graph` says have it in theirs.
 * An entity that does not exist gets none.
 *
 * A summary is read before the incident and written only over what was read, so one that others wrote from a later state of
 * the incident is never replaced.
 *
 * **Shape**: the number of summaries that changed, and why others could not be written.
 *
 * **Errors**: `UnavailableError` when the clock is not plausible, or the writer fails or does not answer in time.
 */
export async function summarizeIncident(
  deps: SummarizeDeps,
  graph: GraphIndex,
  incident: string,
): Promise<{ readonly written: number; readonly rejected: readonly string[] }> {
  const concerned = new Set((await readIncident(deps, incident)).entities);
  for await (const urn of listReferrers(graph, { urn: incident, relationships: SUMMARIZED }))
    concerned.add(urn);
  const outcomes = await inParallel([...concerned], AT_ONCE, (urn) => summarize(deps, urn, incident));
  return {
    written: outcomes.filter((outcome) => outcome === 'written').length,
    rejected: outcomes.flatMap((outcome) => (typeof outcome === 'object' ? [outcome.reason] : [])),
  };
}

async function summarize(
  deps: SummarizeDeps,
  urn: string,
  incident: string,
): Promise<'written' | 'unchanged' | { readonly reason: string }> {
  const type = findEntityType(deps.registry, urn);
  if (type?.aspects.has(INCIDENTS_SUMMARY) !== true) return 'unchanged';
  let expected = '';
  for (let attempt = 1; ; attempt++) {
    const entity = await deps.store.readEntity(urn, [INCIDENTS_SUMMARY, type.keyAspect.name]);
    if (entity?.deleted !== false) return 'unchanged';
    const { entities, summarized } = await readIncident(deps, incident);
    const placed = entities.has(urn) ? summarized : undefined;
    const value = placeIncident(readValue(entity, INCIDENTS_SUMMARY), incident, placed);
    if (value === undefined) return 'unchanged';
    const proposal = toProposal(deps, { type, entity, value });
    const outcome = await deps.submitter.submitAndWait(proposal);
    if (outcome.kind === 'applied') return 'written';
    if (outcome.kind === 'failed') {
      throw new UnavailableError(`The incidents of ${urn} could not be written`, { cause: outcome.cause });
    }
    const conditions = stringifyJson({ ...proposal.headers });
    if (attempt === ATTEMPTS || conditions === expected) return { reason: `${urn}: ${outcome.reason}` };
    expected = conditions;
  }
}

async function readIncident({ store }: SummarizeDeps, urn: string): Promise<CurrentIncident> {
  const incident = await store.readEntity(urn, [INCIDENT_INFO, STATUS]);
  const info = readValue(incident, INCIDENT_INFO);
  const isRemoved = readValue(incident, STATUS)?.removed === true;
  if (info === undefined || isRemoved) return { entities: new Set(), summarized: undefined };
  return { entities: new Set(toUrns(info.entities)), summarized: summarizeInfo(urn, info) };
}

function toProposal(
  { registry, clock }: SummarizeDeps,
  {
    type,
    entity,
    value,
  }: { readonly type: EntityType; readonly entity: StoredEntity; readonly value: JsonObject },
): Proposal {
  rejectImplausible(clock);
  const version = entity.aspects.find(({ name }) => name === INCIDENTS_SUMMARY)?.version ?? -1;
  return {
    entityType: type.name,
    urn: entity.urn,
    aspectName: INCIDENTS_SUMMARY,
    changeType: 'UPSERT',
    value: stringifyJson(value),
    systemMetadata: { lastObserved: clock.now(), runId: NO_RUN_ID },
    headers: { 'If-Version-Match': String(version), ...whileAlive(readKeyVersion(type, entity)) },
    actor: systemActor(registry),
  };
}

function readValue(entity: StoredEntity | undefined, aspectName: string): JsonObject | undefined {
  const stored = entity?.aspects.find(({ name }) => name === aspectName);
  const value = stored === undefined ? undefined : parseJson(stored.value);
  return isJsonObject(value) ? value : undefined;
}

function toUrns(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
