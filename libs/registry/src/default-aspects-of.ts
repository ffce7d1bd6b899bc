import { parseUrn, type JsonObject } from '@stratalog/model';
import { checkAspect } from './check/check-aspect';
import type { EntityRegistry, EntityType } from './entity-registry';

/** An aspect that an entity has from its beginning, unless its first proposal brings it. */
export interface DefaultAspect {
  readonly aspectName: string;
  /** Canonical JSON text. */
  readonly value: string;
}

/** What stands between the parts of a dataset's name. */
const NAME_DELIMITER = '.';
/** Where an entity stands that no rule puts elsewhere. */
const NOWHERE = 'Default';

/**
 * The aspects that follow from a new entity's key: on which platform it lives, and where a reader who browses finds it. A pure
 * function of the urn, so that the same log gives the same store whatever else is known by then.
 *
 * **Shape**: only aspects that the entity type has, and only values that the model takes.
 *
 * **Source**: entity and aspect behaviour, section 10.4.
 */
export function defaultAspectsOf(
  registry: EntityRegistry,
  entityType: EntityType,
  key: JsonObject,
): readonly DefaultAspect[] {
  const values: Readonly<Record<string, JsonObject | undefined>> = {
    dataPlatformInstance: platformInstanceOf(registry, key),
    browsePaths: browsePathsOf(entityType, key),
    browsePathsV2: { path: browseStepsOf(entityType, key) },
  };
  return Object.entries(values).flatMap(([aspectName, value]) => {
    const aspect = entityType.aspects.get(aspectName);
    if (aspect === undefined || value === undefined) return [];
    const checked = checkAspect(registry, aspect, value);
    return 'text' in checked ? [{ aspectName, value: checked.text }] : [];
  });
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
function browsePathsOf({ name }: EntityType, key: JsonObject): JsonObject | undefined {
  switch (name) {
    case 'dataset': {
      const steps = [textIn(key, 'origin'), idOf(textIn(key, 'platform')), ...folderOf(key)];
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

function browseStepsOf({ name }: EntityType, key: JsonObject): JsonObject[] {
  if (name === 'dataJob' && isText(key.flow)) return [{ id: key.flow, urn: key.flow }];
  const folder = name === 'dataset' ? folderOf(key).map((part) => part.toLowerCase()) : [];
  return folder.length === 0 ? [{ id: NOWHERE }] : folder.map((id) => ({ id }));
}

/** The parts of a dataset's name but the last. */
function folderOf({ name }: JsonObject): string[] {
  const parts = isText(name) ? name.split(NAME_DELIMITER).filter((part) => part !== '') : [];
  return parts.slice(0, -1);
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

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
