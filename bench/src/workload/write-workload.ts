import { SeededRandom } from '@stratalog/harness';
import { listVocabulary } from './vocabulary';

/** One planned proposal: the `version`-th value of an entity. */
export interface PlannedWrite {
  readonly urn: string;
  /** 1 for an entity's first value. */
  readonly version: number;
  /** Canonical JSON text of `datasetProperties`. */
  readonly value: string;
}

/** About as long as the properties that connectors send. */
export const VALUE_BYTES = 700;
const DESCRIPTION_WORDS = 30;
const DESCRIPTIONS = 512;
const VOCABULARY_SIZE = 8_000;
const FILL = 'abcdefghij'.repeat(VALUE_BYTES / 10);

/**
 * Generates the mix of writes of an ingest bench: some for new entities, the others new versions of existing
 * ones, chosen evenly. Every value differs from every other, so that each write is a new version.
 */
export class WriteWorkload {
  private readonly random: SeededRandom;
  private readonly versions: number[] = [];
  private readonly descriptions: readonly string[];

  /** Workloads with different schemas write different entities. */
  constructor(
    seed: number,
    private readonly schema = 'sales',
  ) {
    this.random = new SeededRandom(seed);
    const words = listVocabulary(VOCABULARY_SIZE);
    this.descriptions = Array.from({ length: DESCRIPTIONS }, () =>
      Array.from({ length: DESCRIPTION_WORDS }, () => words[this.random.below(words.length)]).join(' '),
    );
  }

  /** The number of entities planned so far. */
  get entityCount(): number {
    return this.versions.length;
  }

  /** The first value of the next entity; `word` makes it searchable by itself. */
  newEntity(word = ''): PlannedWrite {
    this.versions.push(0);
    return this.writeOf(this.versions.length - 1, word);
  }

  /** Counts entities that do not exist yet; returns the first of them. */
  reserve(count: number): number {
    const first = this.versions.length;
    for (let at = 0; at < count; at++) this.versions.push(0);
    return first;
  }

  /** A write of the mix; `newShare` of all are new entities. */
  next(newShare: number): PlannedWrite {
    if (this.entityCount === 0 || this.random.fraction() < newShare) return this.newEntity();
    return this.writeOf(this.random.below(this.entityCount));
  }

  /**
   * Chooses one of the entities of a user; each belongs to one of `of` users, so that no two users write it
   * at the same time.
   */
  ownEntity(user: number, of: number): number {
    const own = Math.floor((this.entityCount - user - 1) / of) + 1;
    return user + of * this.random.below(Math.max(1, own));
  }

  /** Writes of a mix, each of another entity. */
  nextDistinct(count: number, newShare: number): readonly PlannedWrite[] {
    const writes = new Map<string, PlannedWrite>();
    while (writes.size < count) {
      const isNew = this.entityCount < count || this.random.fraction() < newShare;
      const entity = isNew ? this.reserve(1) : this.random.below(this.entityCount);
      const urn = this.urnAt(entity);
      if (!writes.has(urn)) writes.set(urn, this.writeOf(entity));
    }
    return [...writes.values()];
  }

  /** The next version of one entity. */
  writeOf(entity: number, word = ''): PlannedWrite {
    const version = (this.versions[entity] ?? 0) + 1;
    this.versions[entity] = version;
    return { urn: this.urnAt(entity), version, value: this.valueOf(entity, version, word) };
  }

  /** Chooses an entity and one of its versions for a read. */
  anyVersion(): { readonly urn: string; readonly version: number } {
    const entity = this.random.below(this.entityCount);
    return { urn: this.urnAt(entity), version: 1 + this.random.below(this.versions[entity] ?? 1) };
  }

  private valueOf(entity: number, version: number, word: string): string {
    const description = this.descriptions[(entity * 31 + version) % DESCRIPTIONS] ?? '';
    const start = `{"customProperties":{"revision":"${String(version)}","source":"`;
    const middle = `","team":"team${String(entity % 40)}"},"description":"${description}${word === '' ? '' : ' '}${word}"`;
    const end = `,"name":"${nameAt(entity)}","qualifiedName":"${this.schema}.${nameAt(entity)}"}`;
    const missing = Math.max(0, VALUE_BYTES - start.length - middle.length - end.length);
    return `${start}${FILL.slice(0, missing)}${middle}${end}`;
  }

  urnAt(entity: number): string {
    return `urn:li:dataset:(urn:li:dataPlatform:hive,${this.schema}.${nameAt(entity)},PROD)`;
  }
}

function nameAt(entity: number): string {
  return `fct_orders_daily_${String(entity).padStart(6, '0')}`;
}
