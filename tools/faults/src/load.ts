import type { CatalogClient } from './catalog-client';
import type { Ledger } from './ledger';
import type { RecentEntities } from './recent-entities';
import type { SeededRandom } from './seeded-random';
import { Writer } from './writer';

export interface LoadParts {
  readonly client: CatalogClient;
  readonly ledger: Ledger;
  readonly recent: RecentEntities;
  readonly random: SeededRandom;
  readonly writers: number;
}

/** All writers of a run: they never pause, whatever is killed. */
export class Load {
  /** Rejects when a writer has met a `Violation`; resolves when all have stopped. */
  readonly ended: Promise<void>;
  private readonly stopping = new AbortController();

  private constructor({ client, ledger, recent, random, writers }: LoadParts) {
    const parts = {
      client,
      ledger,
      onNewEntity: recent.add.bind(recent),
    };
    const runs = Array.from({ length: writers }, (_, index) =>
      new Writer(index, random.fork(index), parts).run(this.stopping.signal),
    );
    this.ended = Promise.all(runs).then(() => undefined);
  }

  static start(parts: LoadParts): Load {
    return new Load(parts);
  }

  /** Stops the writers, each after the answer that it waits for. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.ended;
  }
}
