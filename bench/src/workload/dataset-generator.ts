import { SeededRandom } from '@stratalog/harness';
import { Zipf } from './zipf';
import { listVocabulary } from './vocabulary';

/** A dataset like those in a company's warehouse. */
export interface Dataset {
  readonly urn: string;
  readonly platform: string;
  /** `sales.fct_orders_daily_0421` */
  readonly name: string;
  /** 10 to 30 words. */
  readonly words: readonly string[];
  /** 0 to 4 tag names. */
  readonly tags: readonly string[];
  /** User name of the owner; half of all datasets have one. */
  readonly owner?: string;
}

const VOCABULARY_SIZE = 30_000;
export const TAG_COUNT = 400;
export const OWNER_COUNT = 500;

const PLATFORMS = ['snowflake', 'bigquery', 'hive', 'kafka', 'postgres', 'dbt', 's3', 'redshift'];
const DOMAINS =
  'sales finance marketing logistics support product people legal risk growth web mobile search ads billing'.split(
    ' ',
  );
const LAYERS = ['fct', 'dim', 'stg', 'raw', 'agg', 'int', 'snap', 'rpt'];
const SUBJECTS = (
  'orders customers payments shipments returns refunds sessions clicks invoices carts products prices stock ' +
  'suppliers stores employees campaigns leads tickets contracts budgets forecasts accounts ledgers taxes events'
).split(' ');
const RHYTHMS = ['daily', 'hourly', 'weekly', 'monthly', 'live'];
const SERIAL_COUNT = 10_000;
const SEED = 20_240_229;

/** Generates datasets by number: the same number is the same dataset in every run and in every process. */
export class DatasetGenerator {
  readonly vocabulary = listVocabulary(VOCABULARY_SIZE);
  readonly platforms = PLATFORMS;
  private readonly wordRanks = new Zipf(VOCABULARY_SIZE);
  private readonly tagRanks = new Zipf(TAG_COUNT);
  private readonly ownerRanks = new Zipf(OWNER_COUNT);
  private readonly platformRanks = new Zipf(PLATFORMS.length);

  at(index: number): Dataset {
    const random = new SeededRandom(SEED + index * 2_654_435_761);
    const platform = PLATFORMS[this.platformRanks.draw(random)] ?? '';
    const name = makeName(random, index);
    const words = Array.from({ length: 10 + random.below(21) }, () => this.word(random));
    const tags = new Set(Array.from({ length: random.below(5) }, () => tagName(this.tagRanks.draw(random))));
    const owner = random.fraction() < 0.5 ? ownerName(this.ownerRanks.draw(random)) : undefined;
    return {
      urn: `urn:li:dataset:(urn:li:dataPlatform:${platform},${name},PROD)`,
      platform,
      name,
      words,
      tags: [...tags],
      ...(owner === undefined ? {} : { owner }),
    };
  }

  private word(random: SeededRandom): string {
    return this.vocabulary[this.wordRanks.draw(random)] ?? '';
  }
}

/** Serials repeat only after all were used, and then with another prefix, so that names differ. */
function makeName(random: SeededRandom, index: number): string {
  const pick = (from: readonly string[]): string => from[random.below(from.length)] ?? '';
  const serial = String(index % SERIAL_COUNT).padStart(4, '0');
  const round = Math.floor(index / SERIAL_COUNT);
  const domain = `${pick(DOMAINS)}${round === 0 ? '' : String(round)}`;
  return `${domain}.${pick(LAYERS)}_${pick(SUBJECTS)}_${pick(RHYTHMS)}_${serial}`;
}

export function tagName(rank: number): string {
  return `label_${String(rank)}`;
}

export function ownerName(rank: number): string {
  return `user${String(rank)}`;
}
