import type { MemberFault } from '@stratalog/domain';
import type { JsonValue, Steps } from '@stratalog/json';

/** A urn whose entity type is not one of those that its place is for: a reference that leads nowhere. */
export interface WrongReference extends MemberFault {
  readonly urn: string;
}

/** Checks one value and returns its canonical JSON text. After a fault the text is meaningless. */
export interface Check {
  (value: JsonValue, run: CheckRun): string;
  /** Checks a large value in steps; absent for types without inner values. */
  readonly inSteps?: (value: JsonValue, run: CheckRun) => Steps<string>;
}

/** Checks a large value in steps, and any other at once. */
export function* checkInSteps(check: Check, value: JsonValue, run: CheckRun): Steps<string> {
  if (check.inSteps === undefined || !run.large.has(value)) return check(value, run);
  return yield* check.inSteps(value, run);
}

/** Most faults in one answer; more would tell the caller nothing new. */
const MAX_FAULTS = 5;
/** Deepest nesting; a deeper value is rejected before it can overflow the stack. */
export const MAX_DEPTH = 200;
export const TOO_DEEP = `is nested deeper than ${String(MAX_DEPTH)} levels`;

/**
 * The state of one check: its path and its faults. Checks write the path in place as a stack, so a valid value costs
 * no allocation for it.
 */
export class CheckRun {
  readonly faults: MemberFault[] = [];
  readonly path: (string | number)[] = [];
  /** True when an object has members outside its record. */
  hasUnknown = false;
  /** Urns of a known type in another spelling. Earlier models accepted them, so they are no faults of every value. */
  readonly misspelt: WrongReference[] = [];
  depth = 0;

  /** `large`: the objects and lists of the value to walk in steps; empty for a check at once. */
  constructor(readonly large: ReadonlySet<JsonValue> = new Set()) {}

  get full(): boolean {
    return this.faults.length >= MAX_FAULTS;
  }

  /** Records a fault at the current path; returns a placeholder text. */
  fault(reason: string): string {
    if (!this.full) this.faults.push({ path: pointer(this.path.slice(0, this.depth)), reason });
    return '';
  }

  /** Records a urn in another spelling at the current path. */
  misspell(urn: string, reason: string): void {
    this.misspelt.push({ path: pointer(this.path.slice(0, this.depth)), urn, reason });
  }

  /** Records a fault at a member of the current path. */
  faultAt(member: string, reason: string): void {
    if (!this.full) this.faults.push({ path: pointer([...this.path.slice(0, this.depth), member]), reason });
  }
}

function pointer(path: readonly (string | number)[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

const SHOWN = 60;

/** Formats a value for a fault: its kind, and the value itself when it is short. */
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
