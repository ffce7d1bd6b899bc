import { printable } from '../output/printable';
import type { Terminal } from '../terminal';
import type { Answer } from './catalog-client';

const HEADER = 'x-stratalog-warnings';
/** A file may have as many different typos as records; further groups are counted together. */
const MAX_GROUPS = 200;
const OTHER = 'other names';

/** Returns the catalog's warnings about ignored parts of a request, a sentence each. */
export function warningsIn({ headers }: Answer): readonly string[] {
  const header = headers[HEADER];
  if (typeof header !== 'string') return [];
  try {
    const texts: unknown = JSON.parse(header);
    return Array.isArray(texts) ? texts.filter((text) => typeof text === 'string') : [];
  } catch {
    return [];
  }
}

/** Prints the warnings about one request on standard error. */
export function tellWarnings({ stderr }: Pick<Terminal, 'stderr'>, answer: Answer): void {
  for (const warning of warningsIn(answer)) stderr.write(`stratalog: warning: ${printable(warning)}\n`);
}

export interface WarningGroup {
  readonly warning: string;
  readonly count: number;
}

/**
 * Counts the warnings of many requests in bounded memory; warnings that differ in a list index alone are one.
 */
export class WarningTally {
  private readonly groups = new Map<string, number>();

  add(warnings: readonly string[]): void {
    for (const text of warnings) {
      const more = /^and (\d+) more$/.exec(text)?.[1];
      if (more === undefined) this.count(withoutPlaces(text), 1);
      else this.count(OTHER, Number(more));
    }
  }

  /** The most frequent first, then by text. */
  sorted(): readonly WarningGroup[] {
    return [...this.groups]
      .map(([warning, count]) => ({ warning, count }))
      .sort((a, b) => b.count - a.count || (a.warning < b.warning ? -1 : 1));
  }

  private count(text: string, by: number): void {
    const group = this.groups.has(text) || this.groups.size < MAX_GROUPS ? text : OTHER;
    this.groups.set(group, (this.groups.get(group) ?? 0) + by);
  }
}

/** The load groups records in batches of any size, so an index in a batch says nothing. */
function withoutPlaces(warning: string): string {
  return warning.replace(/^\/(?:proposals\/\d+|proposal)\//, '').replace(/\/\d+(?=\/)/g, '/*');
}
