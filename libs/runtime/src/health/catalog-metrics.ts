import type { Database } from '@stratalog/adapters-postgres';
import { onMeasure } from '@stratalog/concurrency';
import { DEAD_LETTER_CAUSES } from '@stratalog/domain';
import type { DeadLetters, TaskStore } from '@stratalog/ports';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { Health } from './health';
import { LagClock } from './work/lag-clock';
import { LagReader, type LaggedConsumer } from './work/lag-reader';

export interface MetricsDeps {
  readonly health: Pick<Health, 'report'>;
  readonly tasks: Pick<TaskStore, 'countUnfinished'>;
  readonly deadLetters: Pick<DeadLetters, 'countOpen'>;
  readonly consumers: readonly LaggedConsumer[];
  readonly connectionUse: Database['connectionUse'];
}

export interface CatalogMetrics {
  readonly registry: Registry;
  /** Stops counting. */
  readonly stop: () => void;
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/**
 * Makes the metrics of a process. Gauges are read when a caller asks; one whose server does not answer is left out. Labels have few
 * values: routes, stages, kinds and partitions.
 *
 * **Source**: `docs/reference/metrics.md`.
 */
export function createMetrics(deps: MetricsDeps): CatalogMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  addHealth(registry, deps);
  addLogStop(registry, deps);
  addTasks(registry, deps);
  addDeadLetters(registry, deps);
  addLags(registry, deps);
  addConnections(registry, deps);
  const stops = [
    countTasks(registry),
    timeCommits(registry),
    timeRequests(registry),
    ...LABEL_COUNTERS.map((each) => countByLabel(registry, each)),
    timeEngine(registry),
  ];
  return {
    registry,
    stop: () => {
      for (const stop of stops) stop();
    },
  };
}

function addHealth(registry: Registry, { health }: MetricsDeps): void {
  const states: Gauge = new Gauge({
    name: 'stratalog_stage_state',
    help: 'The state that each stage is in',
    labelNames: ['stage', 'state'],
    registers: [registry],
    collect: () => {
      states.reset();
      for (const { name, state } of health.report().stages) states.set({ stage: name, state }, 1);
    },
  });
  const plausible: Gauge = new Gauge({
    name: 'stratalog_clock_plausible',
    help: 'Whether the clock is plausible: while it is 0, writes are rejected and retention truncates nothing',
    registers: [registry],
    collect: () => {
      plausible.set(health.report().stages.some(({ name }) => name === 'clock') ? 0 : 1);
    },
  });
}

/** The stage of a process that accepts writes through a log on another server. */
const PROPOSAL_LOG = 'proposal-log';

function addLogStop(registry: Registry, { health }: MetricsDeps): void {
  const stopped: Gauge = new Gauge({
    name: 'stratalog_proposal_log_stopped',
    help: 'Whether the proposal log is stopped until an operator decides: while it is 1, writes to it are rejected',
    registers: [registry],
    collect: () => {
      const stage = health.report().stages.find(({ name }) => name === PROPOSAL_LOG);
      stopped.set(stage?.state === 'retrying' ? 1 : 0);
    },
  });
}

function addTasks(registry: Registry, { tasks }: MetricsDeps): void {
  const unfinished: Gauge = new Gauge({
    name: 'stratalog_unfinished_tasks',
    help: 'Tasks of the whole catalog that have not ended, by kind and state',
    labelNames: ['kind', 'state'],
    registers: [registry],
    collect: async () => {
      unfinished.reset();
      const counts = await tasks.countUnfinished().catch(() => []);
      for (const { kind, state, count } of counts) unfinished.set({ kind, state }, count);
    },
  });
}

function addDeadLetters(registry: Registry, { deadLetters }: MetricsDeps): void {
  const open: Gauge = new Gauge({
    name: 'stratalog_open_dead_letters',
    help: 'Dead letters of the whole catalog that are neither replayed nor discarded, by cause',
    labelNames: ['cause'],
    registers: [registry],
    collect: async () => {
      open.reset();
      const counts = await deadLetters.countOpen().catch(() => undefined);
      if (counts === undefined) return;
      // An alert on a rise needs the zero before it.
      for (const cause of DEAD_LETTER_CAUSES) open.set({ cause }, counts.get(cause) ?? 0);
    },
  });
}

function countTasks(registry: Registry): () => void {
  const units = new Counter({
    name: 'stratalog_task_units_total',
    help: 'Units of work that tasks have done in this process: values, aspects or entities, by kind of task',
    labelNames: ['kind'],
    registers: [registry],
  });
  return onMeasure('task', ({ kind, units: done }) => {
    units.inc({ kind }, done);
  });
}

function addLags(registry: Registry, { consumers }: MetricsDeps): void {
  const clock = new LagClock();
  const lags = new LagReader(consumers);
  let reading: Promise<void> | undefined;
  // All three gauges wait for one reading; those without it would show that of the request before.
  const collect = (): Promise<void> =>
    (reading ??= read().finally(() => {
      reading = undefined;
    }));
  const labelNames = ['consumer', 'partition'];
  const seconds = new Gauge({
    name: 'stratalog_consumer_lag_seconds',
    help: 'Time since the oldest record that the consumer has not handled was seen',
    labelNames,
    registers: [registry],
    collect,
  });
  const oldest = new Gauge({
    name: 'stratalog_oldest_unapplied_proposal_seconds',
    help: 'Time since the oldest logged proposal that the writer has not applied was seen',
    registers: [registry],
    collect,
  });
  const records = new Gauge({
    name: 'stratalog_consumer_lag_records',
    help: 'Records of its log that the consumer has not handled, over all its instances',
    labelNames,
    registers: [registry],
    collect,
  });
  const read = async (): Promise<void> => {
    const progressByConsumer = await lags.read();
    for (const each of [records, seconds]) each.reset();
    oldest.remove();
    for (const [consumer, found] of progressByConsumer) {
      const ages = [...found].map(([number, standing]) => {
        const labels = { consumer, partition: String(number) };
        const { committedOffset, endOffset } = standing;
        records.set(labels, Math.max(0, endOffset - committedOffset));
        const age = clock.tell(`${consumer} ${labels.partition}`, standing, performance.now());
        seconds.set(labels, age);
        return age;
      });
      if (consumer === WRITER && found.size > 0) oldest.set(Math.max(0, ...ages));
    }
  };
}

/** The consumer of the proposal log. */
const WRITER = 'writer';

function addConnections(registry: Registry, { connectionUse }: MetricsDeps): void {
  const connections: Gauge = new Gauge({
    name: 'stratalog_database_connections',
    help: 'Connections to the database by share: in use, the limit of the share, and work that waits for one',
    labelNames: ['share', 'state'],
    registers: [registry],
    collect: () => {
      for (const { share, running, waiting, size } of connectionUse()) {
        connections.set({ share, state: 'used' }, running);
        connections.set({ share, state: 'waiting' }, waiting);
        connections.set({ share, state: 'limit' }, size);
      }
    },
  });
}

function timeCommits(registry: Registry): () => void {
  const sizes = new Histogram({
    name: 'stratalog_commit_proposals',
    help: 'Proposals that share one group commit',
    buckets: SIZES,
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'stratalog_commit_duration_seconds',
    help: 'Duration of a group commit',
    buckets: SECONDS,
    registers: [registry],
  });
  return onMeasure('commit', ({ proposals, seconds }) => {
    sizes.observe(proposals);
    durations.observe(seconds);
  });
}

function timeRequests(registry: Registry): () => void {
  const durations = new Histogram({
    name: 'stratalog_http_request_duration_seconds',
    help: 'Duration of requests by route, from the head of the request to the end of the answer',
    labelNames: ['route'],
    buckets: SECONDS,
    registers: [registry],
  });
  const requests = new Counter({
    name: 'stratalog_http_requests_total',
    help: 'Answers by route and status; requests that no route matches have the route none',
    labelNames: ['route', 'status'],
    registers: [registry],
  });
  return onMeasure('request', ({ route, status, seconds }) => {
    durations.observe({ route }, seconds);
    requests.inc({ route, status: String(status) });
  });
}

/** A counter of measures that have one member, its label. */
interface LabelCounter {
  readonly measure: 'limited' | 'deadLetter' | 'settledLetter';
  readonly name: string;
  readonly help: string;
  readonly label: string;
}

const LABEL_COUNTERS: readonly LabelCounter[] = [
  {
    measure: 'limited',
    name: 'stratalog_limited_calls_total',
    help: 'Calls that were rejected with 429 by limit: reads, writes or lockout',
    label: 'limit',
  },
  {
    measure: 'deadLetter',
    name: 'stratalog_dead_letters_total',
    help: 'Records of the proposal log that became dead letters in this process: rejected ones, and ones that could not be applied',
    label: 'cause',
  },
  {
    measure: 'settledLetter',
    name: 'stratalog_settled_dead_letters_total',
    help: 'Dead letters that operators replayed or discarded through this process',
    label: 'how',
  },
];

function countByLabel(registry: Registry, { measure, name, help, label }: LabelCounter): () => void {
  const counter = new Counter({ name, help, labelNames: [label], registers: [registry] });
  return onMeasure(measure, (labels) => {
    counter.inc({ ...labels });
  });
}

function timeEngine(registry: Registry): () => void {
  const durations = new Histogram({
    name: 'stratalog_engine_call_duration_seconds',
    help: 'Duration of calls of the search engine by kind and result: ok or error',
    labelNames: ['operation', 'result'],
    buckets: SECONDS,
    registers: [registry],
  });
  return onMeasure('engine', ({ operation, isOk, seconds }) => {
    durations.observe({ operation, result: isOk ? 'ok' : 'error' }, seconds);
  });
}
