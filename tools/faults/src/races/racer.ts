import type { SeededRandom } from '@stratalog/harness';
import type { SendProposal } from '../catalog/catalog-client';
import type { Ledger } from '../ledger/ledger';
import { Violation } from '../ledger/violation';
import type { RaceBook } from './race-book';
import type { RaceClient, RaceProposal, ReadCounter } from './race-client';
import { COUNTER, MARKS, counterPatch, counterValue, markPatch, type Count, type Mark } from './race-values';

/** The next action of a racer, by weight. */
const ACTIONS = { condition: 55, patch: 15, batch: 10, mark: 8, unconditional: 12 };
export type Raising = 'condition' | 'patch' | 'batch';
/** Aspects that are written without a preceding read, alongside the counters of the same entities. */
const OTHER_ASPECTS = ['editableDatasetProperties', 'viewProperties', 'deprecation'] as const;
/** The asynchronous share of these; each sends its partition through the log's table for a short time. */
const ASYNC_SHARE = 0.1;

export interface RacerDeps {
  readonly urns: readonly [string, string, string, ...string[]];
  readonly client: RaceClient;
  readonly book: RaceBook;
  readonly ledger: Ledger;
  readonly send: SendProposal;
}

interface Attempt {
  readonly urn: string;
  readonly stored: ReadCounter;
  readonly made: Count;
}

/**
 * One client among many on the same entities. It reads a counter and raises it if it is unchanged, else reads
 * again. It also marks an element of its own by a patch, and writes other aspects of the same entities.
 */
export class Racer {
  readonly raised: Record<Raising, number> = { condition: 0, patch: 0, batch: 0 };
  private writes = 0;

  constructor(
    private readonly index: number,
    private readonly random: SeededRandom,
    private readonly deps: RacerDeps,
  ) {}

  /** Runs until all increments are made or `signal` aborts. **Errors**: `Violation`. */
  async run(signal: AbortSignal): Promise<void> {
    for (let isOver = false; !isOver && !signal.aborted;) {
      const action = this.random.weighted(ACTIONS);
      if (action === 'mark') await this.mark();
      else if (action === 'unconditional') await this.writeOther();
      else isOver = !(await this.raise(action, signal));
    }
  }

  /** False when no increment is left. */
  private async raise(by: Raising, signal: AbortSignal): Promise<boolean> {
    const claimed = this.deps.book.claim(by === 'batch' ? 2 : 1);
    const urns = this.someUrns().slice(0, claimed);
    while (claimed > 0 && !signal.aborted) {
      const attempts = await Promise.all(urns.map((urn) => this.attempt(urn)));
      const [first, ...others] = attempts.map((attempt) => toProposal(by, attempt));
      if (first === undefined) break;
      const mark = this.newMark();
      const marked = by === 'batch' ? [markOf(this.someUrns()[2], mark)] : [];
      if ((await this.deps.client.propose([first, ...others, ...marked])) === 'overtaken') continue;
      for (const { urn, made } of attempts) this.deps.book.raised(urn, made);
      for (const { urn } of marked) this.deps.book.marked(urn, mark);
      this.raised[by] += claimed;
      break;
    }
    return claimed > 0;
  }

  private async attempt(urn: string): Promise<Attempt> {
    const { client, book } = this.deps;
    const known = book.reached(urn);
    const stored = await client.readCounter(urn);
    if (stored.count < known) {
      throw new Violation('reads', `${urn} was read at ${stored.count} after it was known to be ${known}`);
    }
    return { urn, stored, made: { count: stored.count + 1, by: `${this.index}.${++this.writes}` } };
  }

  private async mark(): Promise<void> {
    const { client, book } = this.deps;
    const mark = this.newMark();
    const proposal = markOf(this.someUrns()[0], mark);
    if ((await client.propose([proposal])) === 'overtaken') {
      throw new Violation('answers', `a patch without a condition of ${proposal.urn} was overtaken`);
    }
    book.marked(proposal.urn, mark);
  }

  private async writeOther(): Promise<void> {
    const { kind } = await this.deps.send({
      urn: this.someUrns()[0],
      aspectName: this.random.pick(OTHER_ASPECTS),
      inTurn: false,
      value: this.deps.ledger.nextNumber(),
      isAsync: this.random.chance(ASYNC_SHARE),
    });
    if (kind !== 'acknowledged') throw new Violation('answers', `a write was ${kind}`);
  }

  private newMark(): Mark {
    return { racer: this.index, number: ++this.writes };
  }

  /** Three of the entities, in any order. */
  private someUrns(): readonly [string, string, string] {
    const { urns } = this.deps;
    const first = this.random.pick(urns);
    const second = this.random.pick(urns.filter((urn) => urn !== first) as [string, ...string[]]);
    const third = this.random.pick(
      urns.filter((urn) => urn !== first && urn !== second) as [string, ...string[]],
    );
    return [first, second, third];
  }
}

/** A patch needs a stored value. */
function toProposal(by: Raising, { urn, stored, made }: Attempt): RaceProposal {
  const common = { urn, aspectName: COUNTER };
  if (by === 'patch' && stored.count > 0) {
    return { ...common, changeType: 'PATCH', value: counterPatch(stored.count, made) };
  }
  return { ...common, changeType: 'UPSERT', value: counterValue(made), ifVersion: stored.version };
}

function markOf(urn: string, mark: Mark): RaceProposal {
  return { urn, aspectName: MARKS, changeType: 'PATCH', value: markPatch(mark) };
}
