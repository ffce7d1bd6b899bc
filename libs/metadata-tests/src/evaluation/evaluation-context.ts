import type { JsonValue } from '@stratalog/json';
import { MAX_READS, MAX_STEPS } from '../limits';
import { StepBudget } from '../step-budget';
import { factKey, type Fact, type FactRef, type Facts } from './facts';

/** The subject of an evaluation. */
export interface Known {
  readonly facts: Facts;
  readonly nowMs: number;
}

/** The state that the parts of one evaluation share. */
export class EvaluationContext {
  readonly facts: Facts;
  readonly nowMs: number;
  readonly steps = new StepBudget(MAX_STEPS);
  /** Facts that were needed and not found, by their keys. */
  readonly missing = new Map<string, FactRef>();
  /** Number of times that a fact was not found. */
  misses = 0;
  /** The first reason for which values cannot be told. */
  error: string | undefined;
  /** The bound of the evaluation that it went beyond; then nothing more is evaluated. */
  limit: string | undefined;

  /** Facts that were needed and found. */
  private readonly found = new Set<Fact>();

  constructor({ facts, nowMs }: Known) {
    this.facts = facts;
    this.nowMs = nowMs;
  }

  /** True when the evaluation is over, beyond a bound. */
  get isOver(): boolean {
    return this.limit !== undefined || this.steps.isSpent;
  }

  /** Reports which rule was evaluated when the steps were spent. */
  noteSteps(rule: string): void {
    if (this.steps.isSpent) this.limit ??= `${rule}: takes more than ${String(MAX_STEPS)} steps`;
  }

  /** Returns the values of a fact; none when it is not known yet, or cannot be told. */
  readFact(ref: FactRef): readonly JsonValue[] {
    const fact = this.facts.get(ref);
    if (fact === undefined) {
      this.misses++;
      this.missing.set(factKey(ref), ref);
    } else {
      this.found.add(fact);
    }
    if (this.found.size + this.missing.size > MAX_READS) {
      this.limit ??= `needs more than ${String(MAX_READS)} aspects of other entities`;
      return [];
    }
    if (fact === undefined) return [];
    if ('values' in fact) return fact.values;
    this.error ??= fact.error;
    return [];
  }
}
