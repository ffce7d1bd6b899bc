import type { SeededRandom } from '@stratalog/harness';
import { toDisplayName, toPath, type Core } from './build-core';
import type { CatalogEntity } from './catalog-entity';
import {
  makeChart,
  makeContainer,
  makeDashboard,
  makeDataset,
  makeJob,
  makeTerm,
  makeUser,
} from './make-entities';
import { capitalize, toCamel, toKebab, toPascal, toSnake, toWords } from './spell-name';

const KINDS = { dataset: 70, chart: 9, dashboard: 6, dataJob: 9, glossaryTerm: 2, corpuser: 2, container: 2 };
const THINGS = [
  'store',
  'region',
  'partner',
  'device',
  'vehicle',
  'tenant',
  'franchise',
  'machine',
  'meter',
  'sensor',
  'building',
  'trailer',
  'kiosk',
  'terminal',
  'influencer',
  'auction',
  'pallet',
  'recipe',
  'season',
  'fabric',
  'showroom',
  'contractor',
  'playlist',
  'licence plate',
  'vending machine',
  'parking space',
  'photo shoot',
  'loading dock',
  'cold storage',
  'school visit',
] as const;
const ASPECTS = [
  'hierarchy',
  'mapping',
  'audit',
  'log',
  'lookup',
  'config',
  'metrics',
  'ranking',
  'summary',
  'usage',
  'capacity',
  'schedule',
  'checklist',
  'telemetry',
  'inspection',
  'maintenance',
  'outage',
  'temperature',
  'energy consumption',
  'visitor count',
  'opening hours',
  'floor plan',
  'allocation',
  'eligibility',
] as const;
const PARTS = [
  '',
  '',
  'daily',
  'weekly',
  'emea',
  'apac',
  'legacy',
  'pilot',
  'v2',
  'archive',
  'enriched',
] as const;
const PREFIXES = ['dim', 'fct', 'stg', 'agg', 'ref', 'tmp'] as const;
const PLATFORMS = { snowflake: 50, hive: 20, kafka: 10, postgres: 10, s3: 10 };
const COLUMNS = [
  'row_id',
  'created_at',
  'updated_at',
  'valid_from',
  'valid_to',
  'status_code',
  'source_system',
  'load_batch',
  'value_text',
  'value_number',
  'comment_text',
  'unit_code',
] as const;
const FIRST_NAMES = [
  'anna',
  'bruno',
  'carla',
  'dmitri',
  'elif',
  'felix',
  'gita',
  'hugo',
  'irina',
  'jack',
] as const;
const LAST_NAMES = [
  'almeida',
  'baker',
  'costa',
  'dubois',
  'eriksen',
  'fischer',
  'garner',
  'horvat',
  'ito',
  'jones',
] as const;

/** Builds an entity of the long tail: about something that no query asks for, in the words of the same company. */
export function buildTailEntity(core: Core, random: SeededRandom): CatalogEntity {
  const text = [random.pick(THINGS), random.pick(ASPECTS), random.pick(PARTS)].join(' ').trim();
  const named = core.tables[random.below(core.tables.length)];
  const schema = named?.subject.schema ?? '';
  const domain = named?.subject.domain ?? '';
  const number = random.integer(1, 400);
  const description = `${capitalize(text)} of site ${String(number)}, joined with ${named?.name ?? ''}.`;
  const about = { words: toWords(text), description, domain };
  const kind = random.weighted(KINDS);
  const title = `${capitalize(text)} ${String(number)}`;
  switch (kind) {
    case 'dataset':
      return buildTailTable(text, schema, about, random);
    case 'chart':
      return makeChart({ ...about, name: title }, toKebab(title));
    case 'dashboard':
      return makeDashboard({ ...about, name: title }, toKebab(title));
    case 'dataJob':
      return makeJob({ ...about, name: `load_${toSnake(title)}` }, `${schema}_hourly`);
    case 'glossaryTerm':
      return makeTerm(capitalize(`${text} ${toLetters(number)}`), description);
    case 'corpuser':
      return makeUser(drawUsername(random), 'Analyst');
    case 'container':
      return makeContainer({ ...about, name: toSnake(title) }, toKebab(title));
    default:
      return kind satisfies never;
  }
}

function buildTailTable(
  text: string,
  schema: string,
  about: { readonly words: readonly string[]; readonly description: string; readonly domain: string },
  random: SeededRandom,
): CatalogEntity {
  const platform = random.weighted(PLATFORMS);
  const spell = random.pick([toSnake, toSnake, toSnake, toCamel, toPascal]);
  const prefix = random.pick(PREFIXES);
  const number = random.integer(1, 60);
  const spelled = platform === 'kafka' ? toKebab(text) : spell(text);
  const name = `${platform === 'snowflake' ? `${prefix}_` : ''}${spelled}${platform === 'kafka' ? '.v' : '_'}${String(number)}`;
  const start = random.below(COLUMNS.length - 5);
  const { description, ...rest } = about;
  return makeDataset({
    ...rest,
    ...(random.chance(0.7) ? { description } : {}),
    platform,
    path: toPath(platform, schema, name),
    name: toDisplayName(platform, schema, name),
    columns: [`${toSnake(text.split(' ')[0] ?? '')}_id`, ...COLUMNS.slice(start, start + 5)],
    ...(random.chance(0.1) ? { standing: 'deprecated' as const } : {}),
  });
}

function drawUsername(random: SeededRandom): string {
  const middle = String.fromCharCode(97 + random.below(26), 97 + random.below(26));
  return `${random.pick(FIRST_NAMES)}.${middle}.${random.pick(LAST_NAMES)}`;
}

/** Urns of terms are made of letters alone. */
function toLetters(number: number): string {
  return String.fromCharCode(
    ...String(number)
      .split('')
      .map((digit) => 97 + Number(digit)),
  );
}
