import { isJsonObject, parseJson, parseUrn, type JsonObject, type JsonValue } from '@stratalog/model';
import { checkAspect } from './check-aspect';
import type { EntityRegistry, EntityType } from '../model/entity-registry';

/** An aspect that an entity has from its beginning, unless its first proposal brings it. */
export interface DefaultAspect {
  readonly aspectName: string;
  /** Canonical JSON text. */
  readonly value: string;
}

/** The first proposal of an entity, as far as the other aspects of its beginning depend on it. */
export interface Beginning {
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
  /** A member of its value that names the next urn to look at, by the same aspect, and so on. */
  readonly followField?: string;
}

/** The value of an aspect of another entity, as canonical JSON text; `undefined` while it has none. */
export type ValueOf = (ref: Pick<Neighbour, 'urn' | 'aspectName'>) => string | undefined;

/** What stands between the parts of a dataset's name unless its platform says otherwise. */
const NAME_DELIMITER = '.';
/** Where an entity stands that no rule puts elsewhere. */
const NOWHERE = 'Default';
/** The aspect that says what contains an entity, and its member that does; and the one by which a platform splits names. */
const CONTAINER = 'container';
const PLATFORM_INFO = 'dataPlatformInfo';
/** Containers within containers within containers: deeper ones are left out, and circles end. */
const MAX_CONTAINERS = 32;

/** The aspects of other entities that {@link computeDefaultAspects} asks for. */
export function neighboursOf(beginning: Beginning): readonly Neighbour[] {
  const { entityType, key } = beginning;
  const container = containerOf(beginning);
  return [
    ...(entityType.name === 'dataset' && isText(key.platform)
      ? [{ urn: key.platform, aspectName: PLATFORM_INFO }]
      : []),
    ...(container === undefined ? [] : [{ urn: container, aspectName: CONTAINER, followField: CONTAINER }]),
  ];
}

/**
 * The aspects that follow from a new entity's key: on which platform it lives, and where a reader who browses finds it. Its platform
 * says how its name is split; the containers around it, if its first proposal names one, are its path.
 *
 * **Shape**: only aspects that the entity type has, and only values that the model takes.
 *
 * **Source**: entity and aspect behaviour, section 10.4.
 */
export function computeDefaultAspects(
  registry: EntityRegistry,
  beginning: Beginning,
  valueOf: ValueOf,
): readonly DefaultAspect[] {
  const { entityType, key } = beginning;
  const folder = entityType.name === 'dataset' ? folderOf(key, valueOf) : [];
  const containers = containersFrom(containerOf(beginning), valueOf);
  const values: Readonly<Record<string, JsonObject | undefined>> = {
    dataPlatformInstance: platformInstanceOf(registry, key),
    browsePaths: browsePathsOf(entityType, key, folder),
    browsePathsV2: { path: splitBrowsePath(entityType, key, { folder, containers }) },
  };
  return Object.entries(values).flatMap(([aspectName, value]) => {
    const aspect = entityType.aspects.get(aspectName);
    if (aspect === undefined || value === undefined) return [];
    const checked = checkAspect(registry, aspect, value);
    return 'text' in checked ? [{ aspectName, value: checked.text }] : [];
  });
}

/** The container that the first proposal puts the entity into. */
function containerOf({ aspectName, value }: Beginning): string | undefined {
  return aspectName === CONTAINER ? textAt(parseJson(value), CONTAINER) : undefined;
}

/** The containers around an entity, the outermost first. */
function containersFrom(innermost: string | undefined, valueOf: ValueOf): readonly string[] {
  const chain: string[] = [];
  for (let urn = innermost; urn !== undefined && !chain.includes(urn) && chain.length < MAX_CONTAINERS;) {
    chain.unshift(urn);
    const value = valueOf({ urn, aspectName: CONTAINER });
    urn = value === undefined ? undefined : textAt(parseJson(value), CONTAINER);
  }
  return chain;
}

function platformInstanceOf(registry: EntityRegistry, key: JsonObject): JsonObject | undefined {
  const platform = platformOf(registry, key);
  return platform === undefined ? undefined : { platform };
}

/** Keys name their platform by its urn, or by its name as the tool or orchestrator; a job's is that of its flow. */
function platformOf(registry: EntityRegistry, key: JsonObject): string | undefined {
  const { platform, dashboardTool, orchestrator } = key;
  if (typeof platform === 'string' && platform.startsWith('urn:')) return platform;
  const name = [dashboardTool, orchestrator, flowOf(key)?.orchestrator].find(isText);
  return name === undefined ? undefined : `urn:${registry.urnNamespace}:dataPlatform:${name}`;
}

/** The original spells a chart's path as its tool is spelled, and all others in lower case. */
function browsePathsOf(
  { name }: EntityType,
  key: JsonObject,
  folder: readonly string[],
): JsonObject | undefined {
  switch (name) {
    case 'dataset': {
      const steps = [textIn(key, 'origin'), idOf(textIn(key, 'platform')), ...folder];
      return pathOf(steps.map((step) => step.toLowerCase()));
    }
    case 'chart':
      return pathOf([textIn(key, 'dashboardTool')]);
    case 'dashboard':
      return pathOf([textIn(key, 'dashboardTool').toLowerCase()]);
    case 'dataFlow':
    case 'dataJob': {
      const flow = flowOf(key) ?? key;
      return pathOf([textIn(flow, 'orchestrator').toLowerCase(), textIn(flow, 'cluster').toLowerCase()]);
    }
    default:
      return undefined;
  }
}

function pathOf(steps: readonly string[]): JsonObject {
  return { paths: [`/${steps.join('/')}`] };
}

function splitBrowsePath(
  { name }: EntityType,
  key: JsonObject,
  { folder, containers }: { readonly folder: readonly string[]; readonly containers: readonly string[] },
): JsonObject[] {
  if (containers.length > 0) return containers.map((urn) => ({ id: urn, urn }));
  if (name === 'dataJob' && isText(key.flow)) return [{ id: key.flow, urn: key.flow }];
  return folder.length === 0 ? [{ id: NOWHERE }] : folder.map((part) => ({ id: part.toLowerCase() }));
}

/** The parts of a dataset's name but the last, split at what its platform puts between them. */
function folderOf({ name, platform }: JsonObject, valueOf: ValueOf): readonly string[] {
  const info = isText(platform) ? valueOf({ urn: platform, aspectName: PLATFORM_INFO }) : undefined;
  const said = info === undefined ? undefined : textAt(parseJson(info), 'datasetNameDelimiter');
  const [delimiter = NAME_DELIMITER] = said ?? '';
  return isText(name)
    ? name
        .split(delimiter)
        .filter((part) => part !== '')
        .slice(0, -1)
    : [];
}

/** The key of the flow that a job belongs to. */
function flowOf({ flow }: JsonObject): JsonObject | undefined {
  if (!isText(flow)) return undefined;
  const parsed = parseUrn(flow);
  if ('fault' in parsed) return undefined;
  const [orchestrator = '', , cluster = ''] = parsed.urn.parts;
  return { orchestrator, cluster };
}

function idOf(urn: string): string {
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
