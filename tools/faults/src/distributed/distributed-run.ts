import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { SeededRandom } from '@stratalog/harness';
import { CatalogClient, type FailureCounts } from '../catalog/catalog-client';
import type { DistributedOptions } from '../faults-arguments';
import { Ledger } from '../ledger/ledger';
import { LedgerValues } from '../checks/ledger-values';
import { Load } from '../load/load';
import { RecentEntities } from '../load/recent-entities';
import { passSentinels } from '../load/sentinels';
import { violationIn } from '../ledger/violation';
import type { Workspace } from '../catalog/workspace';
import { Writer } from '../load/writer';
import { checkDistributed, type DistributedVerdict } from './check-distributed';
import {
  summarizeDistributedRun,
  type DistributedRound,
  type DistributedSummary,
} from './distributed-report';
import { DistributedSystem } from './distributed-system';
import { FaultPlans, type FaultPlan } from './fault-plans';
import { expectWork } from './expect-work';
import { KafkaSender } from './kafka-sender';
import type { ServerName } from './servers';
import { strike } from './strike';

export interface DistributedRunDeps {
  readonly workspace: Workspace;
  readonly signal: AbortSignal;
  readonly onRound: (report: DistributedRound) => void;
  /** Progress, for people. */
  readonly say: (line: string) => void;
  /** Receives the function to call at once when the process must end. */
  readonly onStarted: (endAll: () => void) => void;
}

/** Independent sequences of random numbers. */
const PLAN = 1;
const WRITERS = 2;
/** Of the writes over HTTP. */
const ASYNC_SHARE = 0.25;
/** The first number of a producer, so that their urns differ from those of the writers over HTTP. */
const FIRST_PRODUCER = 1_000;

interface Running {
  readonly system: DistributedSystem;
  readonly client: CatalogClient;
  readonly load: Load;
}

/**
 * Subjects a distributed catalog under writers to one fault after another, and checks all its data in
 * between.
 */
export class DistributedRun {
  private readonly ledger = new Ledger();
  private readonly recent = new RecentEntities();
  private readonly rounds: DistributedRound[] = [];
  private readonly verdicts: DistributedVerdict[] = [];
  private readonly failed = new AbortController();
  private readonly signal: AbortSignal;
  private readonly failures: FailureCounts = new Map();

  private constructor(
    private readonly options: DistributedOptions,
    private readonly deps: DistributedRunDeps,
  ) {
    this.signal = AbortSignal.any([deps.signal, this.failed.signal]);
    // Each partition's sentinel listens.
    setMaxListeners(0, this.signal);
  }

  /** A violation is part of the summary. **Errors**: any other fault, or the abort's reason. */
  static run(options: DistributedOptions, deps: DistributedRunDeps): Promise<DistributedSummary> {
    return new DistributedRun(options, deps).run();
  }

  private async run(): Promise<DistributedSummary> {
    const startedAt = performance.now();
    const violation = await violationIn(() => this.overSystem(), this.failed.signal);
    const { options, rounds, ledger, failures, verdicts } = this;
    const seconds = (performance.now() - startedAt) / 1000;
    return summarizeDistributedRun({ options, rounds, seconds, ledger, failures, verdicts, violation });
  }

  private async overSystem(): Promise<void> {
    const onViolation = (error: unknown): void => {
      this.failed.abort(error);
    };
    const { signal } = this;
    const system = await DistributedSystem.start({ ...this.deps, signal, onViolation });
    const { port } = system.fleet;
    const client = new CatalogClient(port, this.options.writers + 20, this.ledger, this.failures);
    const sender = new KafkaSender(system.cluster, this.ledger);
    const load = new Load(this.writersOver(client, sender), onViolation);
    try {
      await this.allRounds({ system, client, load });
      await system.stop();
    } finally {
      await load.stop();
      client.close();
      await sender.close();
      await system.end();
    }
  }

  private writersOver(client: CatalogClient, sender: KafkaSender): readonly Writer[] {
    const { ledger, recent, options } = this;
    const random = new SeededRandom(options.seed).fork(WRITERS);
    const common = { ledger, onNewEntity: recent.add.bind(recent) };
    const http = { ...common, send: client.send.bind(client), asyncShare: ASYNC_SHARE };
    const kafka = { ...common, send: sender.send.bind(sender), asyncShare: 1 };
    const writer = (index: number, deps: typeof http): Writer => new Writer(index, random.fork(index), deps);
    return [
      ...Array.from({ length: options.writers }, (_, at) => writer(at, http)),
      ...Array.from({ length: options.producers }, (_, at) => writer(FIRST_PRODUCER + at, kafka)),
    ];
  }

  private async allRounds(run: Running): Promise<void> {
    const { seed, rounds, faults, roundMs, checkEvery } = this.options;
    const plans = new FaultPlans(new SeededRandom(seed).fork(PLAN), faults, roundMs);
    const deps = { client: run.client, ledger: this.ledger, signal: this.signal };
    await passSentinels(deps);
    await expectWork(deps, undefined);
    this.deps.say('the catalog is ready');
    run.load.start();
    for (let round = 1; round <= rounds; round++) {
      await this.round(round, plans.next(), run);
      if (round === rounds || round % checkEvery === 0) {
        await this.check(run);
        if (round < rounds) run.load.start();
      }
    }
  }

  private async round(round: number, plan: FaultPlan, { system, client }: Running): Promise<void> {
    const { ledger, signal } = this;
    const before = { acknowledged: ledger.acknowledged(), unacknowledged: ledger.counts.unacknowledged };
    await pause(plan.loadMs, undefined, { signal });
    this.deps.say(`round ${round}/${this.options.rounds}: ${plan.fault}`);
    const struckAt = performance.now();
    const { fleet, servers } = system;
    const passed = (): Promise<number> => passSentinels({ client, ledger, signal });
    const worksWithout = (server: ServerName): Promise<void> =>
      expectWork({ client, ledger, signal }, server);
    const done = await strike({ fleet, servers, signal, passed, worksWithout }, plan);
    await passed();
    await fleet.healthy();
    const recoveredMs = Math.round(performance.now() - struckAt);
    const readBack = await this.recent.readBack(client);
    const report: DistributedRound = {
      round,
      fault: plan.fault,
      done,
      loadMs: plan.loadMs,
      recoveredMs,
      writers: fleet.count('writer'),
      indexers: fleet.count('indexer'),
      acknowledged: ledger.acknowledged() - before.acknowledged,
      unacknowledged: ledger.counts.unacknowledged - before.unacknowledged,
      readBack,
    };
    this.rounds.push(report);
    this.deps.onRound(report);
  }

  /** Pauses the writers: no work may be left then, and all data must match their ledger. */
  private async check({ system, client, load }: Running): Promise<void> {
    const { ledger, signal } = this;
    const { say } = this.deps;
    const startedAt = performance.now();
    say('the writers rest; waiting for log and index');
    await load.stop();
    await passSentinels({ client, ledger, signal });
    const { cluster, servers } = system;
    const sent = new LedgerValues(ledger);
    this.verdicts.push(await checkDistributed({ addresses: servers.addresses, cluster, sent, signal, say }));
    say(`everything is as it should be, after ${Math.round(performance.now() - startedAt)} ms`);
  }
}
