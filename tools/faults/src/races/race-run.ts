import { setMaxListeners } from 'node:events';
import { SeededRandom } from '@stratalog/harness';
import { freePort } from '@stratalog/local-stack';
import { CatalogClient } from '../catalog/catalog-client';
import { CatalogUnderTest } from '../catalog/catalog-under-test';
import { checkFolder } from '../checks/check-folder';
import { STORE_RULES, type LogCounts, type Rule } from '../checks/check-tables';
import { checkDistributed } from '../distributed/check-distributed';
import { DistributedSystem } from '../distributed/distributed-system';
import type { RaceOptions } from '../faults-arguments';
import { Ledger } from '../ledger/ledger';
import { LedgerValues } from '../checks/ledger-values';
import { passSentinels } from '../load/sentinels';
import { Violation, violationIn } from '../ledger/violation';
import type { Workspace } from '../catalog/workspace';
import { datasetUrn } from '../load/writer';
import { RaceBook } from './race-book';
import { OVERTAKEN, RaceClient } from './race-client';
import { RaceHistories } from './race-histories';
import { summarizeRaceRun, type RaceSummary, type RaceVerdict } from './race-report';
import { Racer } from './racer';

export interface RaceRunDeps {
  readonly workspace: Workspace;
  readonly signal: AbortSignal;
  /** Progress, for people. */
  readonly say: (line: string) => void;
  /** Receives the function to call at once when the process must end. */
  readonly onStarted: (endAll: () => void) => void;
}

/** Independent sequences of random numbers. */
const RACERS = 1;
const PIDS = 2;
const STEPS = 10;

/**
 * Only logged proposals that were overtaken may be dead letters. PostgreSQL must never have broken a
 * deadlock.
 */
const RULES: readonly Rule[] = [
  ...STORE_RULES.filter(({ check }) => check !== 'rejected'),
  {
    check: 'rejected',
    broken: 'a valid proposal became a dead letter',
    text: `select partition, log_offset, reason from dead_letter where reason !~ '${OVERTAKEN.source}' limit 5`,
  },
  {
    check: 'deadlocks',
    broken: 'transactions waited for one another',
    text: 'select deadlocks from pg_stat_database where datname = current_database() and deadlocks > 0',
  },
];

/** Changes the same few entities from many clients at once, and checks all data afterwards. */
export class RaceRun {
  private readonly ledger = new Ledger();
  private readonly book: RaceBook;
  private readonly random: SeededRandom;
  private readonly failed = new AbortController();
  private readonly signal: AbortSignal;
  private racers: readonly Racer[] = [];
  private client: RaceClient | undefined;
  private verified: RaceVerdict | undefined;

  private constructor(
    private readonly options: RaceOptions,
    private readonly deps: RaceRunDeps,
  ) {
    this.signal = AbortSignal.any([deps.signal, this.failed.signal]);
    // Each partition's sentinel listens.
    setMaxListeners(0, this.signal);
    this.random = new SeededRandom(options.seed);
    const step = Math.ceil(options.increments / STEPS);
    this.book = new RaceBook(options.increments, (raised) => {
      if (raised % step === 0) deps.say(`${raised} of ${options.increments} increments`);
    });
  }

  /** A violation is part of the summary. **Errors**: any other fault, or the abort's reason. */
  static run(options: RaceOptions, deps: RaceRunDeps): Promise<RaceSummary> {
    return new RaceRun(options, deps).run();
  }

  private async run(): Promise<RaceSummary> {
    const startedAt = performance.now();
    const run = () => (this.options.distributed ? this.overSystem() : this.overCatalog());
    const violation = await violationIn(run, this.failed.signal);
    const seconds = (performance.now() - startedAt) / 1000;
    const { options, racers, client, ledger, verified } = this;
    return summarizeRaceRun({ options, seconds, racers, client, ledger, verified, violation });
  }

  private async overCatalog(): Promise<void> {
    const { workspace, say, onStarted } = this.deps;
    const client = this.createClient(await freePort());
    const catalog = new CatalogUnderTest(workspace, client, this.random.fork(PIDS), this.signal);
    onStarted(() => {
      catalog.endAll();
    });
    try {
      catalog.start(false);
      await catalog.ready(false);
      const logged = await this.race(client);
      await catalog.stop();
      this.verified = await checkFolder({
        dataDir: workspace.dataDir,
        sent: this.histories(),
        counts: this.countsWith(logged),
        rules: RULES,
        secondModel: false,
        say,
      });
    } finally {
      await catalog.end();
      client.close();
    }
  }

  private async overSystem(): Promise<void> {
    const onViolation = (violation: Violation): void => {
      this.failed.abort(violation);
    };
    const { signal } = this;
    const system = await DistributedSystem.start({ ...this.deps, signal, onViolation });
    const client = this.createClient(system.fleet.port);
    const { cluster, servers } = system;
    const { say } = this.deps;
    try {
      await passSentinels({ client, ledger: this.ledger, signal });
      await this.race(client);
      const { addresses } = servers;
      const sent = this.histories();
      this.verified = await checkDistributed({ addresses, cluster, sent, rules: RULES, signal, say });
      await system.stop();
    } finally {
      client.close();
      await system.end();
    }
  }

  /** Runs until every increment is made and everything is indexed. */
  private async race(sender: CatalogClient): Promise<RaceClient> {
    const { options, book, ledger } = this;
    const client = (this.client = new RaceClient(sender.port, options.writers));
    const [first, second, third, ...others] = Array.from({ length: options.urns }, (_, at) =>
      datasetUrn(`race.${at}`),
    );
    if (first === undefined || second === undefined || third === undefined)
      throw new RangeError('too few urns');
    const urns = [first, second, third, ...others] as const;
    const deps = { urns, client, book, ledger, send: sender.send.bind(sender) };
    const random = this.random.fork(RACERS);
    this.racers = Array.from({ length: options.writers }, (_, at) => new Racer(at, random.fork(at), deps));
    await Promise.all(
      this.racers.map((racer) =>
        racer.run(this.signal).catch((error: unknown) => {
          this.failed.abort(error);
        }),
      ),
    ).finally(() => {
      client.close();
    });
    this.signal.throwIfAborted();
    this.deps.say('everything is written; waiting for the log and the index');
    const lag = await passSentinels({ client: sender, ledger, signal: this.signal });
    if (lag !== 0) throw new Violation('lag', `no write comes, and index or graph is ${lag} changes behind`);
    return client;
  }

  private createClient(port: number): CatalogClient {
    return new CatalogClient(port, this.options.writers + 20, this.ledger);
  }

  private histories(): RaceHistories {
    return new RaceHistories(this.book, new LedgerValues(this.ledger));
  }

  private countsWith(client: RaceClient): LogCounts {
    return {
      acknowledged: () => client.acknowledged() + this.ledger.acknowledged(),
      all: () => client.all() + this.ledger.all(),
    };
  }
}
