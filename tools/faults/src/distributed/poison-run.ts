import { setTimeout as pause } from 'node:timers/promises';
import { Database } from '@stratalog/adapters-postgres';
import { SeededRandom, toLatencies, until, type Latencies } from '@stratalog/harness';
import { CatalogClient } from '../catalog/catalog-client';
import type { CrashOptions } from '../faults-arguments';
import { Ledger } from '../ledger/ledger';
import { passSentinels } from '../load/sentinels';
import { Violation, violationIn } from '../ledger/violation';
import { datasetUrn } from '../load/writer';
import type { Workspace } from '../catalog/workspace';
import { DistributedSystem } from './distributed-system';
import { poisonRecords } from './poison-records';
import { scaledLimit } from '../scaled-limit';

export interface PoisonRunDeps {
  readonly workspace: Workspace;
  readonly signal: AbortSignal;
  readonly onRound: (report: PoisonRound) => void;
  readonly say: (line: string) => void;
  readonly onStarted: (endAll: () => void) => void;
}

/** How long writes waited for their commit, in milliseconds. */
export interface PoisonRound {
  readonly round: number;
  readonly without: Latencies;
  readonly withPoison: Latencies;
}

export interface PoisonSummary {
  readonly summary: 'poison';
  readonly ok: boolean;
  readonly seed: number;
  readonly rounds: number;
  readonly writers: number;
  readonly roundMs: number;
  readonly seconds: number;
  /** Over all rounds. */
  readonly without?: Latencies;
  readonly withPoison?: Latencies;
  /** Records that cannot be applied, all of them dead letters with a reason. */
  readonly poisonRecords: number;
  readonly violation?: string;
}

/** From one write of a connection to its next: the writers must not be the bottleneck. */
const SEND_INTERVAL_MS = 20;
/** The interval of one unappliable record in each partition. */
const POISON_INTERVAL_MS = 100;
const DEAD_LETTER_LIMIT_MS = scaledLimit(30_000);
const POLL_MS = 50;

/**
 * Measures how much records that cannot be applied delay valid ones: in turn without and with them, in one
 * run.
 */
export class PoisonRun {
  private readonly ledger = new Ledger();
  private readonly failed = new AbortController();
  private readonly signal: AbortSignal;
  private readonly rounds: PoisonRound[] = [];
  private readonly delays = { without: [] as number[], withPoison: [] as number[] };
  private poisoned = 0;
  private urns = 0;

  private constructor(
    private readonly options: CrashOptions,
    private readonly deps: PoisonRunDeps,
  ) {
    this.signal = AbortSignal.any([deps.signal, this.failed.signal]);
  }

  /** A violation is part of the summary. **Errors**: any other fault, or the abort's reason. */
  static run(options: CrashOptions, deps: PoisonRunDeps): Promise<PoisonSummary> {
    return new PoisonRun(options, deps).run();
  }

  private async run(): Promise<PoisonSummary> {
    const startedAt = performance.now();
    const violation = await violationIn(() => this.overSystem(), this.failed.signal);
    const { seed, writers, roundMs } = this.options;
    const without = toLatencies(this.delays.without);
    const withPoison = toLatencies(this.delays.withPoison);
    return {
      summary: 'poison',
      ok: violation === undefined,
      seed,
      rounds: this.rounds.length,
      writers,
      roundMs,
      seconds: Math.round((performance.now() - startedAt) / 1000),
      ...(without.count === 0 ? {} : { without }),
      ...(withPoison.count === 0 ? {} : { withPoison }),
      poisonRecords: this.poisoned,
      ...(violation === undefined ? {} : { violation }),
    };
  }

  private async overSystem(): Promise<void> {
    const { signal } = this;
    const onViolation = (violation: Violation): void => {
      this.failed.abort(violation);
    };
    const system = await DistributedSystem.start({ ...this.deps, signal, onViolation });
    const client = new CatalogClient(system.fleet.port, this.options.writers + 20, this.ledger);
    try {
      await passSentinels({ client, ledger: this.ledger, signal });
      this.deps.say('the catalog is ready');
      await this.write(client);
      const poison = poisonRecords(new SeededRandom(this.options.seed));
      for (let round = 1; round <= this.options.rounds; round++) {
        const without = await this.write(client);
        const stop = await this.startPoison(system, poison);
        try {
          this.note(round, without, await this.write(client));
        } finally {
          await stop();
        }
      }
      await this.expectDeadLetter(system);
      await system.stop();
    } finally {
      client.close();
      await system.end();
    }
  }

  private note(round: number, without: readonly number[], withPoison: readonly number[]): void {
    this.delays.without.push(...without);
    this.delays.withPoison.push(...withPoison);
    const [before, during] = [toLatencies(without), toLatencies(withPoison)];
    if (before.count === 0 || during.count === 0) throw new Violation('progress', 'no write was answered');
    const report = { round, without: before, withPoison: during };
    this.rounds.push(report);
    this.deps.onRound(report);
  }

  /**
   * Writes new entities over all connections for a round's time; returns how long each waited for its commit.
   */
  private async write(client: CatalogClient): Promise<number[]> {
    const end = performance.now() + this.options.roundMs;
    const delays: number[] = [];
    const one = async (): Promise<void> => {
      while (performance.now() < end) {
        const sentAt = performance.now();
        const result = await client.send({
          urn: datasetUrn(`patient.${++this.urns}`),
          aspectName: 'datasetProperties',
          inTurn: true,
          value: this.ledger.nextNumber(),
          isAsync: false,
        });
        if (result.kind !== 'acknowledged') throw new Violation('answers', `a write was ${result.kind}`);
        delays.push(performance.now() - sentAt);
        await pause(SEND_INTERVAL_MS, undefined, { signal: this.signal });
      }
    };
    await Promise.all(Array.from({ length: this.options.writers }, one));
    return delays;
  }

  /** Puts unappliable records into each partition repeatedly, until the returned function is called. */
  private async startPoison(
    { cluster }: DistributedSystem,
    poison: Generator<{ readonly key: string; readonly value: Buffer | null }, never>,
  ): Promise<() => Promise<void>> {
    const producer = cluster.client.producer({
      allowAutoTopicCreation: false,
      createPartitioner: () => partitionOf,
    });
    await producer.connect();
    const stopping = new AbortController();
    const putAll = async (): Promise<void> => {
      while (!stopping.signal.aborted) {
        const messages = Array.from({ length: cluster.partitions }, (_, partition) => ({
          ...poison.next().value,
          partition,
        }));
        await producer.send({ topic: cluster.topics.proposals, acks: -1, messages });
        this.poisoned += messages.length;
        await pause(POISON_INTERVAL_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    };
    const running = putAll();
    return async () => {
      stopping.abort();
      await running;
      await producer.disconnect();
    };
  }

  /** Expects each of them as a dead letter with its reason, and no other. */
  private async expectDeadLetter({ servers }: DistributedSystem): Promise<void> {
    const database = await Database.open({ url: servers.addresses.DATABASE_URL, poolSize: 1 });
    let deadLetters = 0;
    const look = async (): Promise<true | undefined> => {
      const text = `select count(*)::integer as count from dead_letter where reason <> ''`;
      const { rows } = await database.use((session) => session.query<{ count: number }>(text));
      deadLetters = rows[0]?.count ?? 0;
      return deadLetters === this.poisoned ? true : undefined;
    };
    const limits = { limitMs: DEAD_LETTER_LIMIT_MS, pollMs: POLL_MS, signal: this.signal };
    try {
      if ((await until(look, limits)) !== undefined) return;
    } finally {
      await database.close();
    }
    throw new Violation(
      'rejected',
      `${this.poisoned} records that cannot be applied were put, ${deadLetters} are kept`,
    );
  }
}

const partitionOf = ({ message }: { readonly message: { readonly partition?: number } }): number =>
  message.partition ?? 0;
