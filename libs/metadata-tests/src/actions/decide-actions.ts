import { allSteps, isJsonObject, parseJson, stringifyJson } from '@stratalog/model';
import { parseAspectPatch, type EntityRegistry, type EntityType } from '@stratalog/registry';
import type { TestOutcome } from '../evaluation/evaluate-test';
import {
  ACTION_OUTCOMES,
  runIdOfTest,
  type Action,
  type ActionAspect,
  type ActionAuthor,
  type ActionElement,
  type ActionOperation,
  type AspectState,
  type TestActions,
} from '../definition/actions/action';
import { ASSOCIATION_KEYS } from '../definition/actions/domain-elements';

/** The aspects of an entity that actions write; absent: there is no value. */
export type AspectStates = ReadonlyMap<ActionAspect, AspectState>;

/** The input of a decision about actions. */
export interface ActionTarget {
  readonly registry: EntityRegistry;
  readonly urn: string;
  readonly entityType: EntityType;
  /** Urn of the user as which the catalog writes. */
  readonly actor: string;
  readonly nowMs: number;
}

/** A test with actions. */
export interface ActingTest {
  readonly urn: string;
  readonly actions: TestActions;
}

/** The write of one action, or its reversal. */
export interface PlannedPatch {
  readonly test: string;
  /** Place of the action in the definition. */
  readonly place: string;
  readonly aspectName: ActionAspect;
  /** True: the operations remove what the action added before. */
  readonly isTakenBack: boolean;
  readonly operations: readonly ActionOperation[];
  /** Why the model does not allow the patch; then it is not written. */
  readonly rejection?: string;
}

interface Decision {
  readonly patches: readonly PlannedPatch[];
  /** The aspects after the patches. */
  readonly aspects: AspectStates;
}

const NO_STATE: AspectState = { value: undefined, runId: undefined };

/**
 * Decides the patches of a test whose outcome for an entity is new: a pure function of its actions, the outcome, and the aspects
 * that they write. What the test wrote before is said by the aspects themselves.
 *
 * First it takes back what actions for other outcomes added, then it runs those for this one. An element that is there is not
 * added, one that is not there is not removed, so the aspects after the patches need no more patches. An error takes nothing
 * back: it says nothing about the entity.
 */
export function decideActions(
  target: ActionTarget,
  test: ActingTest,
  { outcome, aspects }: { readonly outcome: TestOutcome['kind']; readonly aspects: AspectStates },
): Decision {
  if (outcome === 'error') return { patches: [], aspects };
  const author: ActionAuthor = { test: test.urn, actor: target.actor, nowMs: target.nowMs };
  const current = ACTION_OUTCOMES.flatMap((each) => (each === outcome ? test.actions[each] : []));
  const former = ACTION_OUTCOMES.flatMap((each) => (each === outcome ? [] : test.actions[each]));
  const kept = new Set(current.flatMap(listAdded));
  const changes: readonly Change[] = [
    ...former
      .filter(({ isTakenBack }) => isTakenBack)
      .map((action): Change => {
        const elements = action.elements.filter((element) => !kept.has(toKey(action, element)));
        return { action, isTakenBack: true, operationsFor: takeBackAll(elements, author) };
      }),
    ...current.map((action): Change => {
      const { elements } = action;
      return { action, isTakenBack: false, operationsFor: writeAll(elements, author) };
    }),
  ];
  const states = new Map(aspects);
  const patches: PlannedPatch[] = [];
  for (const { action, isTakenBack, operationsFor } of changes) {
    const { aspectName, place } = action;
    if (!target.entityType.aspects.has(aspectName)) continue;
    const state = states.get(aspectName) ?? NO_STATE;
    const operations = operationsFor(state);
    if (operations.length === 0) continue;
    const patch: PlannedPatch = { test: test.urn, place, aspectName, isTakenBack, operations };
    const patched = applyPatch(target, state, patch);
    if ('rejection' in patched) patches.push({ ...patch, rejection: patched.rejection });
    else {
      patches.push(patch);
      states.set(aspectName, { ...patched, runId: runIdOfTest(author) });
    }
  }
  return { patches, aspects: states };
}

interface Change {
  readonly action: Action;
  readonly isTakenBack: boolean;
  readonly operationsFor: (state: AspectState) => readonly ActionOperation[];
}

function writeAll(elements: readonly ActionElement[], author: ActionAuthor): Change['operationsFor'] {
  return (state) => elements.flatMap((element) => element.write(state, author));
}

function takeBackAll(elements: readonly ActionElement[], author: ActionAuthor): Change['operationsFor'] {
  return (state) => elements.flatMap((element) => element.takeBack(state, author));
}

/** Lists the elements that an action adds, by their keys and values. */
function listAdded(action: Action): readonly string[] {
  return action.elements.flatMap((element) => (element.added === undefined ? [] : toKey(action, element)));
}

function toKey({ aspectName }: Action, { added }: ActionElement): string {
  return `${aspectName} ${added ?? ''}`;
}

/** Formats operations as the value of a PATCH proposal. */
export function formatPatch(operations: readonly ActionOperation[], aspectName: ActionAspect): string {
  const arrayPrimaryKeys = aspectName === 'domains' ? ASSOCIATION_KEYS : {};
  return stringifyJson({ patch: operations, arrayPrimaryKeys });
}

/** Applies a patch as the writer does. */
function applyPatch(
  { registry, urn, entityType, actor, nowMs }: ActionTarget,
  { value }: AspectState,
  { aspectName, operations }: Pick<PlannedPatch, 'aspectName' | 'operations'>,
): Pick<AspectState, 'value'> | { readonly rejection: string } {
  const aspect = entityType.aspects.get(aspectName);
  if (aspect === undefined) return { rejection: `${entityType.name} has no aspect ${aspectName}` };
  const text = formatPatch(operations, aspectName);
  const parsed = allSteps(parseAspectPatch(registry, aspect, { urn, value: text }));
  if ('rejection' in parsed) return parsed;
  const current = value === undefined ? undefined : stringifyJson(value);
  const patched = allSteps(parsed.patch(current, { time: nowMs, actor }));
  if ('rejection' in patched) return patched;
  const after = patched.value === undefined ? undefined : parseJson(patched.value);
  return { value: isJsonObject(after) ? after : undefined };
}
