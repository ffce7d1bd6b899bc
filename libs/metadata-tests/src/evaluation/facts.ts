import type { JsonValue } from '@stratalog/json';
import { findEntityType, type EntityRegistry, type EntityType } from '@stratalog/registry';

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

interface KnownEntity {
  readonly type: EntityType | undefined;
  /** By the name of the aspect and the range. */
  readonly facts: Map<string, Fact>;
}

/** The facts read from the store. Evaluations query them thousands of times for each entity. */
export class Facts {
  private readonly entities = new Map<string, KnownEntity>();
  private factCount = 0;
  private characterCount = 0;

  constructor(private readonly registry: EntityRegistry) {}

  /** Number of facts. */
  get size(): number {
    return this.factCount;
  }

  /** Characters of the texts of all values. */
  get characters(): number {
    return this.characterCount;
  }

  /** The type of an entity; `undefined`: the model has none of this name. */
  findType(urn: string): EntityType | undefined {
    return this.entity(urn).type;
  }

  /** `undefined`: not read yet. Each fact is an object of its own. */
  get(ref: FactRef): Fact | undefined {
    return this.entity(ref.urn).facts.get(nameFact(ref));
  }

  set(ref: FactRef, fact: Fact): void {
    const { facts } = this.entity(ref.urn);
    const before = facts.size;
    facts.set(nameFact(ref), { ...fact });
    this.factCount += facts.size - before;
  }

  /** Counts the text of a value that is held. */
  count(text: string): void {
    this.characterCount += text.length;
  }

  private entity(urn: string): KnownEntity {
    const known = this.entities.get(urn);
    if (known !== undefined) return known;
    const entity = { type: findEntityType(this.registry, urn), facts: new Map<string, Fact>() };
    this.entities.set(urn, entity);
    return entity;
  }
}

/** Names a fact of an entity. No name of an aspect has a blank. */
function nameFact({ aspectName, withinMs }: Omit<FactRef, 'urn'>): string {
  return withinMs === undefined ? aspectName : `${aspectName} ${String(withinMs)}`;
}

/** Formats the key of a fact: two refs with one key are the same fact. */
export function factKey({ urn, ...fact }: FactRef): string {
  return `${nameFact(fact)} ${urn}`;
}
