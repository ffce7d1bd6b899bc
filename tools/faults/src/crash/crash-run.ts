import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { SeededRandom } from '@stratalog/harness';
import { freePort } from '@stratalog/local-stack';
import { CatalogClient } from '../catalog/catalog-client';
import { CatalogUnderTest } from '../catalog/catalog-under-test';
import { checkFolder, type FolderVerdict } from '../checks/check-folder';
import { summarize, type CrashSummary, type KillMoment, type RoundReport } from './crash-report';
import type { CrashOptions } from '../faults-arguments';
import { START_UP_MS, planRound, type RoundPlan, type Victim } from '../catalog/fault-plan';
import { Ledger } from '../ledger/ledger';
import { LedgerValues } from '../checks/ledger-values';
import { Load } from '../load/load';
import { RecentEntities } from '../load/recent-entities';
import { passSentinels } from '../load/sentinels';
import { Violation, violationIn } from '../ledger/violation';
import { Writer } from '../load/writer';
import type { Workspace } from '../catalog/workspace';

export interface CrashRunDeps {
  readonly workspace: Workspace;
  readonly signal: AbortSignal;
  readonly onRound: (report: RoundReport) => void;
  /** Progress, for people. */
  readonly say: (line: string) => void;
  /** Receives the function to call at once when the process must end. */
  readonly onStarted: (endAll: () => void) => void;
}

/** Of the writes over HTTP. */
const ASYNC_SHARE = 0.25;
/** Independent sequences of random numbers. */
const PLAN = 1;
const WRITERS = 2;
const PIDS = 3;

/** Kills a catalog repeatedly under writers, and checks all its data afterwards. */
export class CrashRun {
  private readonly ledger = new Ledger();
  private readonly recent = new RecentEntities();
  private readonly random: SeededRandom;
  private readonly rounds: RoundReport[] = [];
  private readonly client: CatalogClient;
  private readonly catalog: CatalogUnderTest;
  private readonly failed = new AbortController();
  private readonly signal: AbortSignal;
  /** Of the round under way. */
  private kills: { readonly moment: KillMoment; readonly victim: Victim }[] = [];

  private constructor(
    private readonly options: CrashOptions,
    private readonly deps: CrashRunDeps,
    port: number,
  ) {
    this.signal = AbortSignal.any([deps.signal, this.failed.signal]);
    // Each partition's sentinel listens.
    setMaxListeners(0, this.signal);
    const random = new SeededRandom(options.seed);
    this.random = random.fork(PLAN);
    this.client = new CatalogClient(port, options.writers + 20, this.ledger);
    this.catalog = new CatalogUnderTest(deps.workspace, this.client, random.fork(PIDS), this.signal);
    deps.onStarted(() => {
      this.catalog.endAll();
    });
  }

  /** A violation is part of the summary. **Errors**: any other fault, or the abort's reason. */
  static async run(options: CrashOptions, deps: CrashRunDeps): Promise<CrashSummary> {
    return new CrashRun(options, deps, await freePort()).run();
  }

  private async run(): Promise<CrashSummary> {
    const startedAt = performance.now();
    let verified: FolderVerdict | undefined;
    let violation: string | undefined;
    try {
      violation = await violationIn(async () => {
        await this.underLoad();
        verified = await this.check();
      }, this.failed.signal);
    } finally {
      await this.catalog.end();
      this.client.close();
    }
    const seconds = (performance.now() - startedAt) / 1000;
    const { options, rounds, ledger } = this;
    return summarize({
      options,
      rounds,
      seconds,
      ledger,
      failures: this.client.failures,
      verified,
      violation,
    });
  }

  private async underLoad(): Promise<void> {
    const { client, ledger, recent, options } = this;
    const random = new SeededRandom(options.seed).fork(WRITERS);
    const deps = {
      ledger,
      send: client.send.bind(client),
      onNewEntity: recent.add.bind(recent),
      asyncShare: ASYNC_SHARE,
    };
    const writers = Array.from(
      { length: options.writers },
      (_, index) => new Writer(index, random.fork(index), deps),
    );
    // A writer that meets a violation ends the run; otherwise the rounds do.
    const load = new Load(writers, (error) => {
      this.failed.abort(error);
    });
    load.start();
    try {
      await this.allRounds();
    } finally {
      await load.stop();
    }
  }

  private async allRounds(): Promise<void> {
    this.catalog.start(false);
    for (let round = 1; round <= this.options.rounds; round++) await this.round(round);
  }

  private async round(round: number): Promise<void> {
    this.kills = [];
    const before = {
      acknowledged: this.ledger.acknowledged(),
      unacknowledged: this.ledger.counts.unacknowledged,
    };
    if (round === 1) await this.firstStart();
    const plan = planRound(this.random, this.options.roundMs, this.catalog.secondModel);
    await this.pause(plan.loadMs);
    const { recoveredMs, builtIndex } = await this.crash(plan);
    const readBack = await this.recent.readBack(this.client);
    await passSentinels(this.sentinelDeps());
    const report: RoundReport = {
      round,
      kills: this.kills,
      loadMs: plan.loadMs,
      recoveredMs,
      builtIndex,
      acknowledged: this.ledger.acknowledged() - before.acknowledged,
      unacknowledged: this.ledger.counts.unacknowledged - before.unacknowledged,
      readBack,
    };
    this.rounds.push(report);
    this.deps.onRound(report);
  }

  /** Kills the very first start too, while it may be creating the database. */
  private async firstStart(): Promise<void> {
    await this.pause(this.random.integer(0, START_UP_MS));
    await this.strike('first-start', 'catalog');
    this.catalog.start(false);
    await this.catalog.ready(false);
  }

  private async crash(plan: RoundPlan): Promise<Pick<RoundReport, 'recoveredMs' | 'builtIndex'>> {
    const { catalog } = this;
    if (plan.moment === 'under-load' && plan.victim === 'session') {
      const struckAt = performance.now();
      await this.strike('under-load', 'session');
      // A write into each partition: health alone could still be that of before the kill.
      await passSentinels(this.sentinelDeps());
      await catalog.healed();
      return { recoveredMs: Math.round(performance.now() - struckAt), builtIndex: false };
    }
    const model = catalog.secondModel;
    await this.strike('under-load', plan.moment === 'under-load' ? plan.victim : 'catalog');
    if (plan.moment === 'start-up') {
      catalog.start(model);
      await this.pause(plan.startedMs);
      await this.strike('start-up', plan.victim);
    } else if (plan.moment === 'index-build') {
      catalog.start(!model);
      if (await catalog.building()) await this.pause(plan.buildingMs);
      await this.strike(catalog.isReady ? 'under-load' : 'index-build', plan.victim);
    }
    catalog.start(plan.secondModel);
    const builtIndex = plan.secondModel !== model;
    return { recoveredMs: await catalog.ready(builtIndex), builtIndex };
  }

  private async strike(moment: KillMoment, victim: Victim): Promise<void> {
    await this.catalog.strike(victim);
    this.kills.push({ moment, victim });
  }

  /** After the writers have stopped: no work may be left, and all data must match their ledger. */
  private async check(): Promise<FolderVerdict> {
    const { say, workspace } = this.deps;
    say('the writers have stopped; waiting for the log and the index');
    const lag = await passSentinels(this.sentinelDeps());
    if (lag !== 0) throw new Violation('lag', `no write comes, and index or graph is ${lag} changes behind`);
    await this.catalog.stop();
    const { secondModel } = this.catalog;
    const { ledger } = this;
    const known = { sent: new LedgerValues(ledger), counts: ledger };
    return checkFolder({ dataDir: workspace.dataDir, ...known, secondModel, say });
  }

  private sentinelDeps(): Parameters<typeof passSentinels>[0] {
    return { client: this.client, ledger: this.ledger, signal: this.signal };
  }

  private pause(ms: number): Promise<void> {
    return pause(ms, undefined, { signal: this.signal });
  }
}
