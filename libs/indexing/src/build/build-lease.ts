import { pause } from '@stratalog/concurrency';
import type { BuildProgress, IndexVersions } from '@stratalog/ports';

/** Interval at which a builder reports that it lives, also while it writes a large page or is on hold. */
const HEARTBEAT_MS = 1_000;
/** A process takes over a build whose builder has sent no heartbeat for so long. */
const SILENT_MS = 5_000;
const POLL_MS = 500;

export interface BuildClaim<Index> {
  readonly indexes: Pick<IndexVersions<Index>, 'readBuild' | 'sendHeartbeat'>;
  readonly target: Index;
  /** Identifies this process among all others. */
  readonly builder: string;
}

interface Waiting {
  readonly signal: AbortSignal;
  /** Called with the progress of the process that builds. */
  readonly onProgress: (progress: BuildProgress) => void;
}

/**
 * The right of this process to build one index version.
 *
 * Every heartbeat of a builder follows the last one in the index version, so a process that was paused, and whose build another one has taken
 * over, learns that with its next heartbeat. What it still writes until then is as old as its page, and the index drops it.
 */
export class BuildLease<Index> {
  private readonly losing = new AbortController();
  private last: Promise<unknown> = Promise.resolve();
  private readonly timer: NodeJS.Timeout;
  private isReleased = false;

  private constructor(
    private readonly claim: BuildClaim<Index>,
    private heartbeats: number,
    /** Where the process before has left the build. */
    readonly from: BuildProgress | undefined,
  ) {
    this.timer = setInterval(() => void this.beat().catch(() => undefined), HEARTBEAT_MS);
    this.timer.unref();
  }

  /**
   * Waits until no other process builds the version. `filled`: another process has done so. `gone`: the version is retired or
   * deleted. `undefined` when `signal` aborts.
   */
  static async take<Index extends { position(): Promise<ReadonlyMap<number, number>> }>(
    claim: BuildClaim<Index>,
    { signal, onProgress }: Waiting,
  ): Promise<BuildLease<Index> | 'filled' | 'gone' | undefined> {
    const { indexes, target, builder } = claim;
    let seen = { heartbeats: -1, at: 0 };
    while (!signal.aborted) {
      const build = await indexes.readBuild(target);
      if (build === undefined) return 'gone';
      const { heartbeats, progress } = build;
      if (build.isLive || (await target.position()).size > 0) return 'filled';
      if (heartbeats !== seen.heartbeats) seen = { heartbeats, at: performance.now() };
      const isFree = build.builder === undefined || build.builder === builder;
      if (isFree || performance.now() > seen.at + SILENT_MS) {
        if (await indexes.sendHeartbeat(target, { after: heartbeats, builder })) {
          return new BuildLease(claim, heartbeats + 1, progress);
        }
      }
      if (progress !== undefined) onProgress(progress);
      await pause(POLL_MS, signal);
    }
    return undefined;
  }

  /** Aborts when another process has taken the build over. */
  get lost(): AbortSignal {
    return this.losing.signal;
  }

  /** Reports that this process lives, and how far the build is. */
  beat(progress?: BuildProgress): Promise<void> {
    return this.write({ builder: this.claim.builder, ...(progress === undefined ? {} : { progress }) });
  }

  /** Leaves the build, with its last progress, to any process. */
  async release(progress?: BuildProgress): Promise<void> {
    if (this.isReleased) return;
    this.isReleased = true;
    clearInterval(this.timer);
    await this.write(progress === undefined ? {} : { progress });
  }

  /** One heartbeat after the other, because each names the one before. */
  private write(heartbeat: { readonly builder?: string; readonly progress?: BuildProgress }): Promise<void> {
    const writing = this.last.then(async () => {
      if (this.lost.aborted) return;
      const { indexes, target } = this.claim;
      if (await indexes.sendHeartbeat(target, { after: this.heartbeats, ...heartbeat })) this.heartbeats++;
      else this.losing.abort();
    });
    this.last = writing.catch(() => undefined);
    return writing;
  }
}
