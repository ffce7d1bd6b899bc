import type { JsonValue, Steps } from '@stratalog/model';

/** What is wrong at one place of a value. */
export interface Fault {
  /** From the value's root, as a JSON pointer: `/fields/3/type`; empty for the root itself. */
  readonly path: string;
  readonly reason: string;
}

/**
 * Checks one value and answers with its canonical JSON text. After a fault the answer means nothing.
 */
export interface Check {
  (value: JsonValue, run: CheckRun): string;
  /** The same of a large value, in steps; absent where nothing large is inside. */
  readonly inSteps?: (value: JsonValue, run: CheckRun) => Steps<string>;
}

/** Checks a value in steps where it is large, at once where it is not. */
export function* checkInSteps(check: Check, value: JsonValue, run: CheckRun): Steps<string> {
  if (check.inSteps === undefined || !run.large.has(value)) return check(value, run);
  return yield* check.inSteps(value, run);
}

/** More faults than these say nothing new. */
const MAX_FAULTS = 5;
/** Values nested deeper are rejected before they can overflow the stack. */
export const MAX_DEPTH = 200;
export const TOO_DEEP = `is nested deeper than ${String(MAX_DEPTH)} levels`;

/**
 * The state of one check: where it is and what it found. The path is a stack that checks write in place, so that a value
 * without faults costs no allocation for it.
 */
export class CheckRun {
  readonly faults: Fault[] = [];
  readonly path: (string | number)[] = [];
  /** Whether an object has members that its record does not know. */
  hasUnknown = false;
  depth = 0;

  /** `large`: the objects and lists of the value that are walked in steps, if it is checked in steps. */
  constructor(readonly large: ReadonlySet<JsonValue> = new Set()) {}

  get full(): boolean {
    return this.faults.length >= MAX_FAULTS;
  }

  /** Notes a fault at the current place, and answers in place of a text. */
  fault(reason: string): string {
    if (!this.full) this.faults.push({ path: pointer(this.path.slice(0, this.depth)), reason });
    return '';
  }

  /** Notes a fault at a member of the current place. */
  faultAt(member: string, reason: string): void {
    if (!this.full) this.faults.push({ path: pointer([...this.path.slice(0, this.depth), member]), reason });
  }
}

function pointer(path: readonly (string | number)[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

const SHOWN = 60;

/** A value as a fault shows it: its kind, and the value itself when it is short. */
export function shown(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  switch (typeof value) {
    case 'object':
      return 'an object';
    case 'string':
      return value.length > SHOWN ? `${JSON.stringify(value.slice(0, SHOWN))}…` : JSON.stringify(value);
    default:
      return String(value);
  }
}
