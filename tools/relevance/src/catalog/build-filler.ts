import type { SeededRandom } from '@stratalog/harness';
import { toContainerUrn, toDisplayName, toPath, type Core, type CoreTable } from './build-core';
import { buildTailEntity } from './build-tail';
import type { CatalogEntity } from './catalog-entity';
import { makeChart, makeDashboard, makeDataset } from './make-entities';
import { capitalize, toKebab, toSnake, toWords } from './spell-name';

/** Shares of the kinds of filler. */
const SHARES = { copy: 42, part: 20, tail: 38 };
const COPIES = { dated: 40, backup: 20, temporary: 12, sandbox: 18, environment: 10 };
const REGIONS = [
  'emea',
  'apac',
  'amer',
  'latam',
  'dach',
  'nordics',
  'uk',
  'us',
  'benelux',
  'iberia',
] as const;
const GRAINS = ['hourly', 'daily', 'weekly', 'monthly', 'quarterly', 'yearly'] as const;
const CHANNELS = ['online', 'retail', 'wholesale', 'marketplace', 'mobile'] as const;
const TESTERS = ['jdoe', 'analyst1', 'mlee', 'rkhan', 'playground', 'intern', 'pgarcia', 'twu'] as const;

/** Builds one entity that only fills the catalog: a copy or a part of a core table, or something unrelated. */
export function buildFiller(core: Core, random: SeededRandom): CatalogEntity {
  const table = core.tables[random.below(core.tables.length)];
  const kind = random.weighted(SHARES);
  if (table === undefined || kind === 'tail') return buildTailEntity(core, random);
  return kind === 'copy' ? buildCopy(table, random) : buildPart(table, random);
}

function buildCopy({ platform, name, subject, concept }: CoreTable, random: SeededRandom): CatalogEntity {
  const kind = random.weighted(COPIES);
  const { copied, database, fabric, about } = describeCopy(kind, platform, name, random);
  const { schema } = subject;
  return makeDataset({
    platform,
    path: toPath(platform, database.schema ?? schema, copied, database.name),
    name: toDisplayName(platform, database.schema ?? schema, copied),
    words: toWords(concept.words),
    standing: kind === 'environment' ? 'environment' : 'copy',
    fabric,
    ...(random.chance(0.4) ? { description: about } : {}),
    ...(random.chance(0.6) ? { columns: concept.columns } : {}),
  });
}

interface CopyPlace {
  readonly copied: string;
  readonly database: { readonly name?: string; readonly schema?: string };
  readonly fabric: string;
  readonly about: string;
}

function describeCopy(
  kind: keyof typeof COPIES,
  platform: string,
  name: string,
  random: SeededRandom,
): CopyPlace {
  const separator = platform === 'kafka' ? '-' : '_';
  const suffixed = (...parts: readonly string[]): string => [name, ...parts].join(separator);
  const place = { database: {}, fabric: 'PROD' };
  const date = drawDate(random);
  switch (kind) {
    case 'dated':
      return { ...place, copied: suffixed(date), about: `State of ${name} on ${date}.` };
    case 'backup': {
      const parts = random.chance(0.5) ? ['backup'] : ['backup', date];
      return { ...place, copied: suffixed(...parts), about: `Copy of ${name} made before a migration.` };
    }
    case 'temporary': {
      const parts = [random.pick(['tmp', 'test', 'new', 'fix', 'bkp']), String(random.integer(1, 40))];
      return { ...place, copied: suffixed(...parts), about: `Not for use; see ${name}.` };
    }
    case 'sandbox': {
      const tester = random.pick(TESTERS);
      const number = random.integer(1, 30);
      const schema = `${tester}_${String(number)}`;
      return {
        ...place,
        copied: suffixed(tester),
        database: { name: 'sandbox', schema },
        about: `A try with ${name}.`,
      };
    }
    case 'environment': {
      const fabric = random.pick(['DEV', 'QA', 'STG', 'UAT']);
      const own = { name: `analytics_${fabric.toLowerCase()}` };
      return { copied: name, database: own, fabric, about: `The same as ${name}, with invented rows.` };
    }
    default:
      return kind satisfies never;
  }
}

function drawDate(random: SeededRandom): string {
  const [month, day] = [random.integer(1, 12), random.integer(1, 28)].map((n) => String(n).padStart(2, '0'));
  return `${random.integer(2019, 2025)}${month ?? ''}${day ?? ''}`;
}

/** Builds a table, chart or dashboard of one region, period and channel of a core table. */
function buildPart({ name, subject, concept }: CoreTable, random: SeededRandom): CatalogEntity {
  const { schema, domain } = subject;
  const qualifiers: readonly string[] = [
    random.pick(REGIONS),
    random.pick(GRAINS),
    ...(random.chance(0.4) ? [random.pick(CHANNELS)] : []),
  ];
  const text = `${concept.words} ${qualifiers.join(' ')}`;
  const about = {
    words: toWords(concept.words),
    standing: 'part' as const,
    description: `${capitalize(qualifiers.join(', '))}: summed up from ${name}.`,
    domain,
  };
  const kind = random.weighted({ dataset: 80, chart: 12, dashboard: 8 });
  if (kind !== 'dataset') {
    const titled = { ...about, name: capitalize(text) };
    return kind === 'chart' ? makeChart(titled, toKebab(text)) : makeDashboard(titled, toKebab(text));
  }
  const platform = random.pick(['snowflake', 'hive']);
  const table = platform === 'snowflake' ? `agg_${toSnake(text)}` : toSnake(text);
  return makeDataset({
    ...about,
    platform,
    path: toPath(platform, schema, table),
    name: table,
    columns: [...concept.columns.slice(0, 3), 'report_date', 'row_count'],
    container: toContainerUrn(platform, schema),
  });
}
