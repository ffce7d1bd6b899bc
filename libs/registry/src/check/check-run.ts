import type { JsonValue } from '@stratalog/model';

/** What is wrong at one place of a value. */
export interface Fault {
  /** From the value's root, as a JSON pointer: `/fields/3/type`; empty for the root itself. */
  readonly path: string;
  readonly reason: string;
}

/**
 * Checks one value and answers with its canonical JSON text. After a fault the answer means nothing.
 */
export type Check = (value: JsonValue, run: CheckRun) => string;

/** More faults than these say nothing new. */
const MAX_FAULTS = 5;
/** Values nested deeper are refused before they can overflow the stack. */
export const MAX_DEPTH = 200;

/**
 * The state of one check: where it is and what it found. The path is a stack that checks write in place, so that a value
 * without faults costs no allocation for it.
 */
export class CheckRun {
  readonly faults: Fault[] = [];
  readonly path: (string | number)[] = [];
  depth = 0;

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
