import { InvalidRequestError, didYouMean, formatTaskName, type Position } from '@stratalog/domain';
import type { TaskStore } from '@stratalog/ports';
import {
  entityTypeNamed,
  unknownAspect,
  type AspectType,
  type EntityRegistry,
  type EntityType,
} from '@stratalog/registry';
import type { TaskKind } from '@stratalog/tasks';
import { BOTH_FLAGS, describeDryRun, hasBothFlags, type TruncationMethod } from './truncation-text';
import type { TruncationDeps, TruncationParameters } from './truncation-task';

export interface TruncateDeps extends TruncationDeps {
  readonly registry: EntityRegistry;
  readonly tasks: TaskStore;
  readonly truncation: TaskKind<TruncationParameters>;
  /** Called after a task was created. */
  readonly onTask: () => void;
}

export interface TruncationRequest extends TruncationMethod {
  readonly entityType: string;
  readonly aspect: string;
  readonly endTimeMillis: number;
  readonly dryRun: boolean;
  /** Values per batch; 0: the default. */
  readonly batchSize: number;
  /** 0: no limit. */
  readonly timeoutSeconds: number;
}

export interface TruncationAnswer {
  /** The text of a dry run, or the name of the task that deletes the values. */
  readonly text: string;
  /** The instant that a dry run speaks of. */
  readonly position?: Position;
}

/**
 * Deletes the values of a timeseries aspect up to a time, of all entities of a type, by a task; or says what that would
 * delete. Names of type and aspect may be in lower case, as `getIndexSizes` gives them.
 *
 * **Errors**: `InvalidRequestError` for an unknown type or aspect, and for an aspect that is no timeseries.
 *
 * **Source**: `docs/wire-decisions.md`, Operations.
 */
export async function truncateTimeseries(
  deps: TruncateDeps,
  request: TruncationRequest,
  actor: string,
): Promise<TruncationAnswer> {
  if (hasBothFlags(request)) return { text: BOTH_FLAGS };
  const { entityType, aspect } = requireSeries(deps.registry, request);
  const urnPrefix = `urn:${deps.registry.urnNamespace}:${entityType.name}:`;
  const { endTimeMillis, dryRun, forceDeleteByQuery, forceReindex } = request;
  if (dryRun) {
    const count = await deps.timeseries.count({ urnPrefix, aspectName: aspect.name, endMs: endTimeMillis });
    const { storeId, epoch } = deps.store.identity;
    return { text: describeDryRun(count, request), position: { storeId, epoch, seqs: count.position } };
  }
  const parameters: TruncationParameters = {
    entityType: entityType.name,
    aspect: aspect.name,
    urnPrefix,
    endTimeMillis,
    batchSize: request.batchSize,
    timeoutSeconds: request.timeoutSeconds,
    forceDeleteByQuery: forceDeleteByQuery ?? null,
    forceReindex: forceReindex ?? null,
  };
  const { task } = await deps.tasks.create(deps.truncation.newTask(parameters, actor));
  deps.onTask();
  return { text: formatTaskName(deps.store.identity, task.id) };
}

function requireSeries(
  registry: EntityRegistry,
  { entityType: typeName, aspect: name }: TruncationRequest,
): { readonly entityType: EntityType; readonly aspect: AspectType } {
  const entityType = entityTypeNamed(registry, typeName);
  const aspects = [...entityType.aspects.values()];
  const aspect =
    entityType.aspects.get(name) ?? aspects.find((each) => each.name.toLowerCase() === name.toLowerCase());
  if (aspect === undefined) throw new InvalidRequestError(unknownAspect(entityType, name));
  if (aspect.kind === 'timeseries') return { entityType, aspect };
  const timeseries = aspects.flatMap((each) => (each.kind === 'timeseries' ? [each.name] : []));
  throw new InvalidRequestError(
    `Aspect ${aspect.name} of entity ${entityType.name} is not a timeseries aspect${didYouMean(name, timeseries)}`,
  );
}
