import { covers, entityTypeIn, parseSequences } from '@stratalog/domain';
import type { GraphIndex, GraphIndexVersions } from '@stratalog/ports';
import {
  defineTaskKind,
  type TaskContext,
  type TaskKind,
  type TaskStanding,
  type TaskStep,
} from '@stratalog/tasks';
import * as z from 'zod';
import { INCIDENT, incidentPrefix } from './incident-urns';
import { listReferrers } from '../list-referrers';
import { summarizeIncident, type SummarizeDeps } from './summarize-incident';

export interface IncidentsDeps extends SummarizeDeps {
  readonly graphIndexes: GraphIndexVersions;
}

const SEQS = z.record(z.string(), z.number());

const PARAMETERS = z.object({
  /** Changed incidents, and new entities, which incidents may be about already; `null`: every incident. */
  urns: z.array(z.string()).nullable(),
  /** Where the change log had their changes. */
  position: SEQS,
});
export type IncidentsParameters = z.infer<typeof PARAMETERS>;

const CHECKPOINT = z.object({
  /** Everything that the store had when the task began: what the graph must have before it is asked. */
  sequences: SEQS,
  /** The last urn that is done. */
  after: z.string(),
  written: z.number(),
});
type Checkpoint = z.infer<typeof CHECKPOINT>;

/** Urns of one step. */
const PAGE = 50;
const GRAPH_POLL_MS = 200;

/**
 * Makes the kind of task that brings the summaries of entities up to date after changes of incidents.
 *
 * It asks the graph which summaries have an incident, once that has everything that the store had when the task began: also what earlier
 * tasks wrote. An entity that an incident is about before it exists asks for its incidents when it is created.
 *
 * **Order and repeats**: a crash repeats one page, whose summaries are up to date then.
 */
export function incidentsTask(deps: IncidentsDeps): TaskKind<IncidentsParameters> {
  return defineTaskKind({
    name: 'summarize-incidents',
    isOwn: true,
    parameters: PARAMETERS,
    checkpoint: CHECKPOINT,
    start: async () => ({
      checkpoint: {
        sequences: Object.fromEntries(await deps.store.readPartitionSequences()),
        after: '',
        written: 0,
      },
      progress: { done: 0 },
    }),
    step: { alone: (context, at) => step(deps, { ...context, ...at }) },
  });
}

async function step(
  deps: IncidentsDeps,
  { parameters, checkpoint, progress }: TaskContext<IncidentsParameters> & TaskStanding<Checkpoint>,
): Promise<TaskStep<Checkpoint>> {
  const { sequences, after, written } = checkpoint;
  const urns = await readPage(deps, parameters, after);
  const last = urns.at(-1);
  // The list of tasks shows work that was done.
  if (last === undefined) return { kind: 'completed', outcome: { written }, isWithoutTrace: written === 0 };
  const graph = await deps.graphIndexes.live();
  const isUsable = graph !== undefined && covers(await graph.position(), parseSequences(sequences));
  if (!isUsable) return { kind: 'wait', pauseMs: GRAPH_POLL_MS };
  let sum = written;
  const log: string[] = [];
  for (const incident of await listIncidents(graph, urns)) {
    const summarized = await summarizeIncident(deps, graph, incident);
    sum += summarized.written;
    log.push(...summarized.rejected);
  }
  return {
    kind: 'next',
    checkpoint: { sequences, after: last, written: sum },
    progress: { ...progress, done: progress.done + urns.length },
    ...(log.length === 0 ? {} : { log }),
  };
}

async function readPage(
  { store, registry }: IncidentsDeps,
  { urns }: IncidentsParameters,
  after: string,
): Promise<readonly string[]> {
  if (urns !== null)
    return [...urns]
      .sort()
      .filter((urn) => urn > after)
      .slice(0, PAGE);
  const prefix = incidentPrefix(registry);
  const page = await store.urnsAfter(after === '' ? prefix : after, PAGE);
  return page.filter((urn) => urn.startsWith(prefix));
}

/** Lists the incidents among urns, and those that are about the other entities. */
async function listIncidents(graph: GraphIndex, urns: readonly string[]): Promise<ReadonlySet<string>> {
  const incidents = new Set<string>();
  for (const urn of urns) {
    if (entityTypeIn(urn) === INCIDENT) incidents.add(urn);
    else
      for await (const each of listReferrers(graph, { urn, relationships: ['IncidentOn'] }))
        incidents.add(each);
  }
  return incidents;
}
