import type { CatalogEntity } from './catalog-entity';
import {
  makeChart,
  makeContainer,
  makeDashboard,
  makeDataset,
  makeDomain,
  makeFlow,
  makeJob,
  makePlatform,
  makeTag,
  makeTerm,
  makeUser,
  type EntitySketch,
} from './make-entities';
import type { CatalogFiles, Concept, Subject } from './read-catalog-files';
import { toKebab, toWords } from './spell-name';

/** A table of the core: what the filler copies. */
export interface CoreTable {
  readonly platform: string;
  readonly name: string;
  readonly subject: Subject;
  readonly concept: Concept;
}

export interface Core {
  readonly entities: readonly CatalogEntity[];
  readonly tables: readonly CoreTable[];
}

const PLATFORMS = [
  ['snowflake', 'Snowflake', '.'],
  ['hive', 'Hive', '.'],
  ['kafka', 'Kafka', '.'],
  ['postgres', 'PostgreSQL', '.'],
  ['s3', 'Amazon S3', '/'],
  ['looker', 'Looker', '.'],
  ['tableau', 'Tableau', '.'],
  ['airflow', 'Airflow', '.'],
] as const;
const TITLES = ['Analytics Engineer', 'Data Steward', 'Data Engineer', 'Product Owner'];
/** One in so many tables has a deprecated predecessor. */
const PREDECESSOR_EVERY = 3;

/** Builds the entities that every catalog has, whatever its size: all that queries ask for by name. */
export function buildCore({ subjects, tags, terms }: CatalogFiles): Core {
  const tables = subjects.flatMap((subject) =>
    subject.concepts.flatMap((concept) => concept.tables.map((table) => ({ ...table, subject, concept }))),
  );
  const team = [...new Set(subjects.flatMap((subject) => subject.team))];
  const domains = [...new Set(subjects.map(({ domain }) => domain))];
  const entities = [
    ...PLATFORMS.map(([name, displayName, delimiter]) => makePlatform(name, displayName, delimiter)),
    ...team.map((username, at) => makeUser(username, TITLES[at % TITLES.length] ?? '')),
    ...Object.entries(tags).map(([name, description]) => makeTag(name, description)),
    ...Object.entries(terms).map(([name, definition]) => makeTerm(name, definition)),
    ...domains.map((name) => makeDomain(name, `Everything that the ${name} department answers for.`)),
    ...subjects.flatMap(buildContainers),
    ...tables.map(buildTable),
    ...tables.flatMap((table, at) => (at % PREDECESSOR_EVERY === 0 ? [buildPredecessor(table)] : [])),
    ...tables.filter(({ platform }) => platform === 'snowflake').map(buildStagingTable),
    ...subjects.flatMap((subject) => subject.concepts.flatMap((concept) => buildReports(subject, concept))),
    ...subjects.flatMap(buildPipelines),
  ];
  return { entities, tables };
}

/** The full name of a table on its platform. `database` replaces the productive one. */
export function toPath(platform: string, schema: string, name: string, database = 'analytics'): string {
  switch (platform) {
    case 'snowflake':
      return `${database}.${schema}.${name}`;
    case 'postgres':
      return `shop.${schema}.${name}`;
    case 's3':
      return `northwind-lake/${schema}/${name}`;
    default:
      return `${schema}.${name}`;
  }
}

/** The display name of a table: the last part of the path, of a topic the whole. */
export function toDisplayName(platform: string, schema: string, name: string): string {
  return platform === 'kafka' ? `${schema}.${name}` : name;
}

export function toContainerUrn(platform: string, schema: string): string {
  return `urn:li:container:${platform}-${schema}`;
}

function buildContainers({ schema, domain }: Subject): readonly CatalogEntity[] {
  return ['snowflake', 'hive'].map((platform) =>
    makeContainer(
      { name: schema, words: toWords(schema), description: `Schema of the ${domain} department.`, domain },
      `${platform}-${schema}`,
    ),
  );
}

function buildTable({ platform, name, subject, concept }: CoreTable): CatalogEntity {
  const { schema, domain, team } = subject;
  const owner = team[toWords(concept.words).length % team.length];
  return makeDataset({
    platform,
    path: toPath(platform, schema, name),
    name: toDisplayName(platform, schema, name),
    words: toWords(concept.words),
    description: concept.about,
    columns: concept.columns,
    tags: concept.tags,
    terms: concept.terms,
    domain,
    ...(owner === undefined ? {} : { owner }),
    ...(platform === 'snowflake' || platform === 'hive'
      ? { container: toContainerUrn(platform, schema) }
      : {}),
  });
}

function buildPredecessor({ platform, name, subject, concept }: CoreTable): CatalogEntity {
  const old = platform === 'kafka' ? `${name}-old` : `${name}_old`;
  return makeDataset({
    platform,
    path: toPath(platform, subject.schema, old),
    name: toDisplayName(platform, subject.schema, old),
    words: toWords(concept.words),
    standing: 'deprecated',
    description: `Replaced by ${name}.`,
    columns: concept.columns,
  });
}

function buildStagingTable({ name, subject, concept }: CoreTable): CatalogEntity {
  const staged = `stg_${name.replace(/^(?:fct|dim|agg|bridge)_/, '')}`;
  return makeDataset({
    platform: 'snowflake',
    path: toPath('snowflake', subject.schema, staged, 'staging'),
    name: staged,
    words: toWords(concept.words),
    standing: 'copy',
    description: `Loaded every hour before ${name} is built.`,
    columns: concept.columns,
  });
}

function buildReports({ domain, team }: Subject, concept: Concept): readonly CatalogEntity[] {
  const common = { domain, owner: team[0] ?? '', tags: concept.tags };
  const description = `Made by the ${domain} team from ${concept.tables[0]?.name ?? ''}.`;
  const sketch = (name: string): EntitySketch => ({ ...common, ...namedAfter(concept, name), description });
  return [
    ...concept.dashboards.map((name) => makeDashboard(sketch(name), toKebab(name))),
    ...concept.charts.map((name) => makeChart(sketch(name), toKebab(name))),
  ];
}

/** An entity whose name leaves out a word of the concept is only about what its name says. */
function namedAfter(concept: Concept, name: string): Pick<EntitySketch, 'name' | 'words' | 'standing'> {
  const own = toWords(name);
  const words = toWords(concept.words);
  const isNamed = words.every((word) => own.includes(word));
  return isNamed ? { name, words, standing: 'report' } : { name, words: own };
}

function buildPipelines({ schema, domain, team, concepts }: Subject): readonly CatalogEntity[] {
  const flow = `${schema}_nightly`;
  const owner = team[0] ?? '';
  const jobs = concepts.flatMap((concept) =>
    concept.jobs.map((name) => {
      const description = `Writes ${concept.tables[0]?.name ?? ''} every night.`;
      return makeJob({ ...namedAfter(concept, name), domain, owner, description }, flow);
    }),
  );
  const about = { name: flow, words: [...toWords(schema), 'nightly'], domain, owner };
  return [makeFlow({ ...about, description: `All nightly jobs of the ${domain} department.` }), ...jobs];
}
