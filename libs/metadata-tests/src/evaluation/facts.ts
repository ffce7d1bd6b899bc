import type { JsonValue } from '@stratalog/model';

/** Something that an evaluation needs to know of the store. */
export interface FactRef {
  readonly urn: string;
  readonly aspectName: string;
  readonly aspectKind: 'versioned' | 'timeseries';
  /** For a timeseries aspect: the range up to now whose values are needed; absent: only the latest one. */
  readonly withinMs?: number;
}

/** The values of a fact: at most one of a versioned aspect. Or why they cannot be told. */
export type Fact = { readonly values: readonly JsonValue[] } | { readonly error: string };

/** What is known of the store. */
export class Facts {
  private readonly facts = new Map<string, Fact>();
  private characterCount = 0;

  /** Number of facts. */
  get size(): number {
    return this.facts.size;
  }

  /** Characters of the texts of all values. */
  get characters(): number {
    return this.characterCount;
  }

  /** `undefined`: not read yet. */
  get(ref: FactRef): Fact | undefined {
    return this.facts.get(factKey(ref));
  }

  set(ref: FactRef, fact: Fact): void {
    this.facts.set(factKey(ref), fact);
  }

  /** Counts the text of a value that is held. */
  count(text: string): void {
    this.characterCount += text.length;
  }
}

/** Formats the key of a fact: two refs with one key are the same fact. */
export function factKey({ urn, aspectName, withinMs }: FactRef): string {
  return `${aspectName} ${withinMs === undefined ? 'latest' : String(withinMs)} ${urn}`;
}
