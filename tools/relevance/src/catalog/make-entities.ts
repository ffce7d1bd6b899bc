import type { JsonOutputObject } from '@stratalog/json';
import type { CatalogEntity, Traits } from './catalog-entity';
import { toWords } from './spell-name';

const STAMP = { time: 1_750_000_000_000, actor: 'urn:li:corpuser:ingestion' };
const STAMPS = { created: STAMP, lastModified: STAMP };

/** The parts of an entity of any kind, besides its name. */
export interface EntitySketch extends Partial<Omit<Traits, 'name' | 'path'>> {
  readonly name: string;
  readonly words: readonly string[];
  readonly description?: string;
  readonly domain?: string;
}

export interface DatasetSketch extends EntitySketch {
  readonly platform: string;
  readonly path: string;
  /** `PROD` by default. */
  readonly fabric?: string;
  /** Urn of the container. */
  readonly container?: string;
}

export function makeDataset(sketch: DatasetSketch): CatalogEntity {
  const { platform, path, name, description, fabric = 'PROD', columns = [], container } = sketch;
  const platformUrn = `urn:li:dataPlatform:${platform}`;
  return makeEntity('dataset', `(${platformUrn},${path},${fabric})`, sketch, {
    datasetProperties: { name, qualifiedName: path, ...describe(description), customProperties: {} },
    ...(columns.length === 0 ? {} : { schemaMetadata: makeSchema(platformUrn, path, columns) }),
    ...(container === undefined ? {} : { container: { container } }),
  });
}

export function makeDashboard(sketch: EntitySketch, id: string): CatalogEntity {
  const { name, description = '' } = sketch;
  return makeEntity('dashboard', `(looker,${id})`, sketch, {
    dashboardInfo: { title: name, description, lastModified: STAMPS },
  });
}

export function makeChart(sketch: EntitySketch, id: string): CatalogEntity {
  const { name, description = '' } = sketch;
  return makeEntity('chart', `(tableau,${id})`, sketch, {
    chartInfo: { title: name, description, lastModified: STAMPS },
  });
}

export function makeFlow(sketch: EntitySketch): CatalogEntity {
  const { name, description } = sketch;
  return makeEntity('dataFlow', `(airflow,${name},prod)`, sketch, {
    dataFlowInfo: { name, ...describe(description) },
  });
}

export function makeJob(sketch: EntitySketch, flow: string): CatalogEntity {
  const { name, description } = sketch;
  return makeEntity('dataJob', `(urn:li:dataFlow:(airflow,${flow},prod),${name})`, sketch, {
    dataJobInfo: { name, ...describe(description), type: { string: 'COMMAND' } },
  });
}

export function makeTerm(name: string, definition: string): CatalogEntity {
  return makeEntity('glossaryTerm', termId(name), named(name), {
    glossaryTermInfo: { name, definition, termSource: 'INTERNAL' },
  });
}

export function makeTag(name: string, description: string): CatalogEntity {
  return makeEntity('tag', name, named(name), { tagProperties: { name, description } });
}

export function makeDomain(name: string, description: string): CatalogEntity {
  return makeEntity('domain', name.toLowerCase().replaceAll(' ', '-'), named(name), {
    domainProperties: { name, description },
  });
}

export function makeContainer(sketch: EntitySketch, id: string): CatalogEntity {
  const { name, description } = sketch;
  return makeEntity('container', id, sketch, { containerProperties: { name, ...describe(description) } });
}

/** `username`: first and last name with a dot between them. */
export function makeUser(username: string, title: string): CatalogEntity {
  const names = username.split('.').map((part) => part.charAt(0).toUpperCase() + part.slice(1));
  const displayName = names.join(' ');
  const email = `${username}@northwind.example`;
  return makeEntity('corpuser', username, named(displayName), {
    corpUserInfo: { active: true, displayName, fullName: displayName, email, title },
  });
}

export function makePlatform(name: string, displayName: string, delimiter: string): CatalogEntity {
  return makeEntity('dataPlatform', name, named(displayName), {
    dataPlatformInfo: { name, displayName, type: 'OTHERS', datasetNameDelimiter: delimiter },
  });
}

/** The last part of a term's urn. */
function termId(name: string): string {
  return name.replaceAll(/[^A-Za-z]/g, '');
}

function named(name: string): EntitySketch {
  return { name, words: toWords(name) };
}

function makeEntity(
  entityType: string,
  id: string,
  sketch: EntitySketch & { readonly path?: string },
  own: Readonly<Record<string, JsonOutputObject>>,
): CatalogEntity {
  const { name, path, words, standing = 'original', columns = [], tags = [], terms = [], owner } = sketch;
  return {
    urn: `urn:li:${entityType}:${id}`,
    entityType,
    aspects: { ...own, ...makeLabels(sketch) },
    traits: {
      name,
      words,
      standing,
      columns,
      tags,
      terms,
      ...(path === undefined ? {} : { path }),
      ...(owner === undefined ? {} : { owner }),
    },
  };
}

/** The aspects that entities of all kinds may have. */
function makeLabels(sketch: EntitySketch): Readonly<Record<string, JsonOutputObject>> {
  const { tags = [], terms = [], owner, domain, standing } = sketch;
  const termUrns = terms.map((term) => ({ urn: `urn:li:glossaryTerm:${termId(term)}` }));
  const owners = [{ owner: `urn:li:corpuser:${owner ?? ''}`, type: 'TECHNICAL_OWNER' }];
  const domains = [`urn:li:domain:${(domain ?? '').toLowerCase().replaceAll(' ', '-')}`];
  const deprecation = { deprecated: true, note: 'Use the newer one', actor: STAMP.actor };
  return {
    ...(tags.length === 0 ? {} : { globalTags: { tags: tags.map((tag) => ({ tag: `urn:li:tag:${tag}` })) } }),
    ...(terms.length === 0 ? {} : { glossaryTerms: { terms: termUrns, auditStamp: STAMP } }),
    ...(owner === undefined ? {} : { ownership: { owners, lastModified: STAMP } }),
    ...(domain === undefined ? {} : { domains: { domains } }),
    ...(standing === 'deprecated' ? { deprecation } : {}),
  };
}

function makeSchema(platform: string, schemaName: string, columns: readonly string[]): JsonOutputObject {
  const toField = (fieldPath: string): JsonOutputObject => ({
    fieldPath,
    nativeDataType: 'VARCHAR',
    type: { type: { 'com.linkedin.schema.StringType': {} } },
  });
  return {
    schemaName,
    platform,
    version: 0,
    hash: '',
    platformSchema: { 'com.linkedin.schema.Schemaless': {} },
    fields: columns.map(toField),
  };
}

function describe(description: string | undefined): { readonly description?: string } {
  return description === undefined ? {} : { description };
}
