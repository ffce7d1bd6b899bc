import { RE2JS } from 're2js';
import { MAX_PATTERN_CHARACTERS, MAX_PATTERN_COST, MAX_PATTERN_SIZE, MAX_PATTERNS } from '../limits';
import type { StepBudget } from '../step-budget';
import type { Operand } from './operand';
import { boundPatternCost } from './pattern-cost';

/** A regular expression of the RE2 syntax: its time is linear in the text. */
export interface Pattern {
  /** Instructions of the compiled pattern. */
  readonly size: number;
  /** True when the pattern matches the whole text. */
  matches(text: string): boolean;
}

/** The shared cost limit of the patterns of one definition. After the first faulty one no further pattern is compiled. */
export class PatternBudget {
  private patternsLeft = MAX_PATTERNS;
  private costLeft = MAX_PATTERN_COST;
  private isOver = false;
  /** Instructions of the compiled patterns so far. */
  instructions = 0;

  /** Compiles a pattern. RE2 has neither back references nor lookaround, so no pattern takes exponential time. */
  compile(text: string): Operand<Pattern> | undefined {
    if (this.isOver) return undefined;
    const compiled = this.compileNext(text);
    this.isOver = 'fault' in compiled;
    if ('value' in compiled) this.instructions += compiled.value.size;
    return compiled;
  }

  private compileNext(text: string): Operand<Pattern> {
    if (--this.patternsLeft < 0) {
      return { fault: `is one of more than ${String(MAX_PATTERNS)} regular expressions` };
    }
    if (text.length > MAX_PATTERN_CHARACTERS) {
      return { fault: `is longer than ${String(MAX_PATTERN_CHARACTERS)} characters` };
    }
    const cost = boundPatternCost(text);
    // The bound may be somewhat too high; the true size is known only after the compilation.
    if (cost > 2 * MAX_PATTERN_SIZE) return { fault: describeSize(cost) };
    this.costLeft -= cost;
    if (this.costLeft < 0) return { fault: 'is too large together with the other regular expressions' };
    return compilePattern(text);
  }
}

function compilePattern(text: string): Operand<Pattern> {
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(text);
  } catch (error) {
    return { fault: `is no regular expression of RE2: ${String((error as { message?: unknown }).message)}` };
  }
  const size = compiled.programSize();
  if (size > MAX_PATTERN_SIZE) return { fault: describeSize(size) };
  return { value: { size, matches: (value) => compiled.matches(value) } };
}

function describeSize(size: number): string {
  return `is too large: about ${String(size)} instructions; at most ${String(MAX_PATTERN_SIZE)} are taken`;
}

/** Matches each pattern with each text. */
export function matchAny(patterns: readonly Pattern[], texts: readonly string[], steps: StepBudget): boolean {
  const size = patterns.reduce((total, pattern) => total + pattern.size, 0);
  const characters = texts.reduce((total, text) => total + text.length + 1, 0);
  return steps.take(characters * size) && texts.some((text) => patterns.some((each) => each.matches(text)));
}
