import type { SeededRandom } from '@stratalog/harness';

/** The faults of rounds in a distributed catalog. */
export const FAULTS = [
  'kill-ingest',
  'kill-writer',
  'kill-indexer',
  'kill-query',
  'kill-graph',
  'kill-admin',
  'kill-proxy',
  'kill-kafka',
  'kill-engine',
  'kill-postgres',
  'kill-all',
  'pause-writer',
  'scale-writers',
  'scale-indexers',
] as const;
export type Fault = (typeof FAULTS)[number];

/** Times are milliseconds. */
export interface FaultPlan {
  readonly fault: Fault;
  /** How long everything works before. */
  readonly loadMs: number;
  /** How long the killed process stays down. */
  readonly downMs: number;
  /** Selects one of several instances, from 0 to below 1. */
  readonly instance: number;
}

/** Most choices are short, because a supervisor is quick; some exhaust every retry of a client. */
const LONGEST_DOWN_MS = 6_000;

/** The rounds of a run: each fault once, in an order that the seed decides, before one comes again. */
export class FaultPlans {
  private left: Fault[] = [];

  constructor(
    private readonly random: SeededRandom,
    private readonly faults: readonly Fault[],
    private readonly roundMs: number,
  ) {
    if (faults.length === 0) throw new RangeError('there is no fault to choose from');
  }

  next(): FaultPlan {
    if (this.left.length === 0) this.left = [...this.faults];
    const [fault = 'kill-writer'] = this.left.splice(this.random.integer(0, this.left.length - 1), 1);
    return {
      fault,
      loadMs: this.random.integer(Math.ceil(this.roundMs / 10), this.roundMs),
      downMs: Math.floor(LONGEST_DOWN_MS ** this.random.fraction()),
      instance: this.random.fraction(),
    };
  }
}
