import { parseUrn } from '@stratalog/domain';
import { isJsonObject, parseJson, type JsonObject, type JsonValue } from '@stratalog/json';
import { checkAspect } from './check-aspect';
import type { EntityRegistry, EntityType } from '../model/entity-registry';

/** An aspect that the catalog adds to an entity that has none, unless the proposal contains it. */
export interface DefaultAspect {
  readonly aspectName: string;
  /** Canonical JSON text. */
  readonly value: string;
}

/** A proposal, as far as the default aspects of its entity depend on it. */
export interface DefaultingWrite {
  readonly entityType: EntityType;
  readonly key: JsonObject;
  readonly aspectName: string;
  /** Canonical JSON text. */
  readonly value: string;
}

/** An aspect of another entity that the defaults depend on. */
export interface Neighbour {
  readonly urn: string;
  readonly aspectName: string;
  /** Member of the value that names the next urn to read, with the same aspect, and so on. */
  readonly followField?: string;
}

/** Reads the value of an aspect of another entity as canonical JSON text; `undefined` when it has none. */
export type ValueOf = (ref: Pick<Neighbour, 'urn' | 'aspectName'>) => string | undefined;

/** What {@link computeDefaultAspects} computes, and from what. */
export interface WantedDefaults {
  readonly names: readonly string[];
  readonly valueOf: ValueOf;
}

/** Delimiter of a dataset's name unless its platform has another. */
const NAME_DELIMITER = '.';
/** Browse path of an entity that no rule places. */
const DEFAULT_FOLDER = 'Default';
/** Aspect and member with the container of an entity, and the aspect with a platform's name delimiter. */
const CONTAINER = 'container';
const PLATFORM_INFO = 'dataPlatformInfo';
/** Deepest nesting of containers; outer ones beyond it are left out, and cycles end. */
const MAX_CONTAINERS = 32;

/** Lists the aspects of other entities that {@link computeDefaultAspects} reads. */
export function listNeighbours(write: DefaultingWrite): readonly Neighbour[] {
  const { entityType, key } = write;
  const container = readContainer(write);
  return [
    ...(entityType.name === 'dataset' && isText(key.platform)
      ? [{ urn: key.platform, aspectName: PLATFORM_INFO }]
      : []),
    ...(container === undefined ? [] : [{ urn: container, aspectName: CONTAINER, followField: CONTAINER }]),
  ];
}

/** Lists the names of the default aspects that an entity of this key has. */
export function listDefaultNames(
  registry: EntityRegistry,
  { entityType, key }: Pick<DefaultingWrite, 'entityType' | 'key'>,
): readonly string[] {
  const names = [
    ...(findPlatform(registry, key) === undefined ? [] : ['dataPlatformInstance']),
    ...(buildBrowsePaths(entityType, key, []) === undefined ? [] : ['browsePaths']),
    'browsePathsV2',
  ];
  return names.filter((name) => entityType.aspects.has(name));
}

/**
 * Computes those of the aspects `names` that follow from an entity's key: its platform, and its browse paths. The platform
 * determines how its name is split; if the proposal names a container, the chain of containers is the path.
 *
 * **Shape**: only values that the model accepts.
 *
 * **Source**: `docs/adr/0030-default-aspects.md`; `docs/wire-decisions.md`, Writing.
 */
export function computeDefaultAspects(
  registry: EntityRegistry,
  write: DefaultingWrite,
  { names, valueOf }: WantedDefaults,
): readonly DefaultAspect[] {
  const { entityType, key } = write;
  const folder = entityType.name === 'dataset' ? splitFolder(key, valueOf) : [];
  const containers = followContainers(readContainer(write), valueOf);
  const values: Readonly<Record<string, JsonObject | undefined>> = {
    dataPlatformInstance: buildPlatformInstance(registry, key),
    browsePaths: buildBrowsePaths(entityType, key, folder),
    browsePathsV2: { path: splitBrowsePath(entityType, key, { folder, containers }) },
  };
  return names.flatMap((aspectName) => {
    const aspect = entityType.aspects.get(aspectName);
    const value = values[aspectName];
    if (aspect === undefined || value === undefined) return [];
    const checked = checkAspect(registry, aspect, value);
    return 'text' in checked ? [{ aspectName, value: checked.text }] : [];
  });
}

/** Returns the container that the proposal names. */
function readContainer({ aspectName, value }: DefaultingWrite): string | undefined {
  return aspectName === CONTAINER ? textAt(parseJson(value), CONTAINER) : undefined;
}

/** Lists the containers around an entity, the outermost first. */
function followContainers(innermost: string | undefined, valueOf: ValueOf): readonly string[] {
  const chain: string[] = [];
  for (let urn = innermost; urn !== undefined && !chain.includes(urn) && chain.length < MAX_CONTAINERS;) {
    chain.unshift(urn);
    const value = valueOf({ urn, aspectName: CONTAINER });
    urn = value === undefined ? undefined : textAt(parseJson(value), CONTAINER);
  }
  return chain;
}

function buildPlatformInstance(registry: EntityRegistry, key: JsonObject): JsonObject | undefined {
  const platform = findPlatform(registry, key);
  return platform === undefined ? undefined : { platform };
}

/**
 * Keys name their platform by its urn, or by its name as the tool or orchestrator; a job has the platform of its
 * flow.
 */
function findPlatform(registry: EntityRegistry, key: JsonObject): string | undefined {
  const { platform, dashboardTool, orchestrator } = key;
  if (typeof platform === 'string' && platform.startsWith('urn:')) return platform;
  const name = [dashboardTool, orchestrator, parseFlow(key)?.orchestrator].find(isText);
  return name === undefined ? undefined : `urn:${registry.urnNamespace}:dataPlatform:${name}`;
}

/** The original keeps the case of a chart's tool, and lowers the case of all other paths. */
function buildBrowsePaths(
  { name }: EntityType,
  key: JsonObject,
  folder: readonly string[],
): JsonObject | undefined {
  switch (name) {
    case 'dataset': {
      const steps = [textIn(key, 'origin'), readId(textIn(key, 'platform')), ...folder];
      return toBrowsePaths(steps.map((step) => step.toLowerCase()));
    }
    case 'chart':
      return toBrowsePaths([textIn(key, 'dashboardTool')]);
    case 'dashboard':
      return toBrowsePaths([textIn(key, 'dashboardTool').toLowerCase()]);
    case 'dataFlow':
    case 'dataJob': {
      const flow = parseFlow(key) ?? key;
      return toBrowsePaths([
        textIn(flow, 'orchestrator').toLowerCase(),
        textIn(flow, 'cluster').toLowerCase(),
      ]);
    }
    default:
      return undefined;
  }
}

function toBrowsePaths(steps: readonly string[]): JsonObject {
  return { paths: [`/${steps.join('/')}`] };
}

function splitBrowsePath(
  { name }: EntityType,
  key: JsonObject,
  { folder, containers }: { readonly folder: readonly string[]; readonly containers: readonly string[] },
): JsonObject[] {
  if (containers.length > 0) return containers.map((urn) => ({ id: urn, urn }));
  if (name === 'dataJob' && isText(key.flow)) return [{ id: key.flow, urn: key.flow }];
  return folder.length === 0 ? [{ id: DEFAULT_FOLDER }] : folder.map((part) => ({ id: part.toLowerCase() }));
}

/** Splits a dataset's name at its platform's delimiter, without the last part. */
function splitFolder({ name, platform }: JsonObject, valueOf: ValueOf): readonly string[] {
  const info = isText(platform) ? valueOf({ urn: platform, aspectName: PLATFORM_INFO }) : undefined;
  const ownDelimiter = info === undefined ? undefined : textAt(parseJson(info), 'datasetNameDelimiter');
  const [delimiter = NAME_DELIMITER] = ownDelimiter ?? '';
  return isText(name)
    ? name
        .split(delimiter)
        .filter((part) => part !== '')
        .slice(0, -1)
    : [];
}

/** Returns the key of a job's flow. */
function parseFlow({ flow }: JsonObject): JsonObject | undefined {
  if (!isText(flow)) return undefined;
  const parsed = parseUrn(flow);
  if ('fault' in parsed) return undefined;
  const [orchestrator = '', , cluster = ''] = parsed.urn.parts;
  return { orchestrator, cluster };
}

function readId(urn: string): string {
  const parsed = parseUrn(urn);
  return 'fault' in parsed ? urn : parsed.urn.id;
}

function textIn(key: JsonObject, part: string): string {
  const text = key[part];
  return isText(text) ? text : '';
}

function textAt(value: JsonValue, member: string): string | undefined {
  const text = isJsonObject(value) ? value[member] : undefined;
  return isText(text) ? text : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
