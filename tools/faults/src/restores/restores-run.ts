import { until } from '@stratalog/harness';
import type { RestoresOptions } from '../faults-arguments';
import { Violation, violationIn } from '../ledger/violation';
import type { Workspace } from '../catalog/workspace';
import { DistributedSystem } from '../distributed/distributed-system';
import type { Restore } from './restores';
import { NumberedWrites, type Answers } from './numbered-writes';
import { scaledLimit } from '../scaled-limit';

export interface RestoresRunDeps {
  readonly workspace: Workspace;
  readonly signal: AbortSignal;
  readonly onRound: (report: RestoreReport) => void;
  readonly say: (line: string) => void;
  readonly onStarted: (endAll: () => void) => void;
}

/** The report of one restore: a line of the output. */
export interface RestoreReport {
  readonly restore: Restore;
  /** Writes from the restore to the operator's decision. */
  readonly undecided: Answers;
  /** The text that the operator gets before the decision. */
  readonly told: string;
  /** Writes after the decision. */
  readonly after: Answers;
}

export interface RestoresSummary {
  readonly summary: 'restores';
  readonly ok: boolean;
  readonly seed: number;
  readonly restores: readonly Restore[];
  readonly acknowledged: number;
  readonly violation?: string;
}

type Decided = Pick<RestoreReport, 'undecided' | 'told'>;

const SERVERS = { 'kafka-copy': 'kafka', 'postgres-copy': 'postgres', 'engine-copy': 'engine' } as const;
const LOG_STOPS = ['stopped until an operator decides', 'stratalog log adopt'];
const STORE_STOPS = ['stratalog store restored'];
/** How old the copies are. */
const WRITES = 100;
/** How often a write is repeated while nothing is wrong: a busy machine exceeds the time limit of a commit. */
const REPEATS = 6;
/** Writes that no operator has decided on: many of them wait for the whole time limit of a commit. */
const UNDECIDED = 40;
const NOTICED_LIMIT_MS = scaledLimit(60_000);
const POLL_MS = 100;

/**
 * Puts the servers of a distributed catalog back to older states, and plays the operator. No write may be acknowledged that is not
 * applied, and everything that was acknowledged can be read in the end.
 */
export class RestoresRun {
  private readonly failed = new AbortController();
  private acknowledged = 0;

  private constructor(
    private readonly options: RestoresOptions,
    private readonly deps: RestoresRunDeps,
  ) {}

  /** A violation is part of the summary. **Errors**: any other fault, or the abort's reason. */
  static async run(options: RestoresOptions, deps: RestoresRunDeps): Promise<RestoresSummary> {
    const own = new RestoresRun(options, deps);
    const violation = await violationIn(() => own.overSystem(), own.failed.signal);
    return {
      summary: 'restores',
      ok: violation === undefined,
      seed: options.seed,
      restores: options.restores,
      acknowledged: own.acknowledged,
      ...(violation === undefined ? {} : { violation }),
    };
  }

  private async overSystem(): Promise<void> {
    const signal = AbortSignal.any([this.deps.signal, this.failed.signal]);
    const onViolation = (error: unknown): void => {
      this.failed.abort(error);
    };
    const system = await DistributedSystem.start({ ...this.deps, signal, onViolation });
    const writes = new NumberedWrites(system.fleet.port, system.token, this.options.writers);
    try {
      for (const restore of this.options.restores) {
        this.deps.onRound(await this.round(restore, system, writes));
        await system.fleet.healthy();
        await writes.check();
        this.acknowledged = writes.count;
      }
      await system.stop();
    } finally {
      writes.close();
      await system.end();
    }
  }

  private async round(
    restore: Restore,
    system: DistributedSystem,
    writes: NumberedWrites,
  ): Promise<RestoreReport> {
    this.expectAll('before', await writes.write(WRITES, REPEATS));
    await this.restore(restore, system, writes);
    const decided =
      restore === 'postgres-copy' || restore === 'engine-copy'
        ? await this.throughIndices(restore, system, writes)
        : await this.throughLog(system, writes);
    await system.fleet.healthy();
    const after = await writes.write(WRITES, REPEATS);
    this.expectAll('after the decision', after);
    return { restore, ...decided, after };
  }

  /** Plays the operator who adopts a log. */
  private async throughLog(system: DistributedSystem, writes: NumberedWrites): Promise<Decided> {
    const [undecided] = await Promise.all([
      writes.write(UNDECIDED),
      this.noticed(system, LOG_STOPS, ['ingest', 'writer']),
    ]);
    // Nothing resumes by itself.
    const still = await writes.write(UNDECIDED);
    if (still.acknowledged > 0)
      throw new Violation('stop', `${still.acknowledged} writes were acknowledged while the log was stopped`);
    const { lost, partitions } = await writes.operate('adoptLog', { dryRun: true });
    await writes.operate('adoptLog', { dryRun: false });
    return { undecided, told: `${String(lost)} lost, in ${(partitions as unknown[]).length} partitions` };
  }

  /** Plays the operator of a restored PostgreSQL; an engine needs none. In the end every index has what the store has. */
  private async throughIndices(
    restore: Restore,
    system: DistributedSystem,
    writes: NumberedWrites,
  ): Promise<Decided> {
    const undecided = await writes.write(UNDECIDED);
    let told = 'nothing: the index follows by itself';
    if (restore === 'postgres-copy') {
      await this.noticed(system, STORE_STOPS, ['writer']);
      told = `epoch ${String((await writes.operate('declareRestored', {})).epoch)}`;
    }
    await system.fleet.healthy();
    const look = async (): Promise<true | undefined> => ((await writes.isSearchable()) ? true : undefined);
    const limits = { limitMs: NOTICED_LIMIT_MS, pollMs: POLL_MS, signal: this.failed.signal };
    if ((await until(look, limits)) === undefined)
      throw new Violation(
        'index',
        `the search index lacks entities ${NOTICED_LIMIT_MS} ms after the restore`,
      );
    return { undecided, told };
  }

  private async restore(restore: Restore, system: DistributedSystem, writes: NumberedWrites): Promise<void> {
    if (restore === 'topic-made-again') {
      await system.recreateProposals();
      return;
    }
    const server = SERVERS[restore];
    await system.servers.copy(server);
    await system.fleet.healthy();
    this.expectAll('after the copy', await writes.write(WRITES, REPEATS));
    await system.servers.putBack(server);
  }

  /** Waits until each of these apps says that an operator must decide. */
  private async noticed(
    system: DistributedSystem,
    texts: readonly string[],
    apps: readonly ('ingest' | 'writer')[],
  ): Promise<void> {
    const look = async (): Promise<true | undefined> => {
      const told = await Promise.all(apps.map((app) => system.fleet.describe(app)));
      return told.every((own) => texts.some((text) => own.includes(text))) ? true : undefined;
    };
    const limits = { limitMs: NOTICED_LIMIT_MS, pollMs: POLL_MS, signal: this.failed.signal };
    if ((await until(look, limits)) === undefined)
      throw new Violation(
        'stop',
        `${apps.join(' and ')} did not report a stop within ${NOTICED_LIMIT_MS} ms`,
      );
  }

  private expectAll(when: string, { acknowledged, ...others }: Answers): void {
    if (acknowledged === WRITES) return;
    const told = JSON.stringify(others);
    throw new Violation('answers', `${WRITES - acknowledged} of ${WRITES} writes failed ${when}: ${told}`);
  }
}
