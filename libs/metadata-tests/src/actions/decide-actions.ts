import { allSteps, isJsonObject, parseJson, stringifyJson } from '@stratalog/json';
import { parseAspectPatch, type EntityRegistry, type EntityType } from '@stratalog/registry';
import type { TestOutcome } from '../evaluation/evaluate-test';
import {
  ACTION_ASPECTS,
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
import { listMarked } from '../definition/actions/marked-elements';
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
  /** Place of the action in the definition; `/actions` for what no action says any longer. */
  readonly place: string;
  readonly aspectName: ActionAspect;
  /** True: the operations remove what the action added before. */
  readonly isTakenBack: boolean;
  /** True: what the operations add is taken back later. */
  readonly takesBackLater?: boolean;
  readonly operations: readonly ActionOperation[];
  /** Why the model does not allow the patch; then it is not written. */
  readonly rejection?: string;
}

interface Decision {
  readonly patches: readonly PlannedPatch[];
  /** The aspects after the patches. */
  readonly aspects: AspectStates;
  /** Keys of the elements that were taken back. */
  readonly takenBack: ReadonlySet<string>;
}

interface Given {
  readonly outcome: TestOutcome['kind'];
  readonly aspects: AspectStates;
}

const NO_STATE: AspectState = { value: undefined, runId: undefined };

/**
 * Decides the patches of a test whose outcome for an entity is new: a pure function of its actions, the outcome, and the aspects
 * that they write. What the test wrote before is said by the aspects themselves.
 *
 * First it takes back what actions for other outcomes added, and what no action of the test says any longer, because its definition
 * changed or is gone. Then it runs those for this outcome. An element that is there is not added, one that is not there is not removed,
 * so the aspects after the patches need no more patches. An error takes nothing back: it says nothing about the entity.
 */
export function decideActions(target: ActionTarget, test: ActingTest, { outcome, aspects }: Given): Decision {
  if (outcome === 'error') return { patches: [], aspects, takenBack: new Set() };
  const current = ACTION_OUTCOMES.flatMap((each) => (each === outcome ? test.actions[each] : []));
  const former = ACTION_OUTCOMES.flatMap((each) => (each === outcome ? [] : test.actions[each]));
  const kept = new Set(current.flatMap(listAdded));
  const said = new Set([...kept, ...former.filter((action) => !action.isTakenBack).flatMap(listAdded)]);
  const isForgotten = (action: Action, element: ActionElement): boolean => !said.has(toKey(action, element));
  return applyChanges(target, test, {
    aspects,
    changes: [
      ...former
        .filter(({ isTakenBack }) => isTakenBack)
        .map((action): Change => {
          const elements = action.elements.filter((element) => !kept.has(toKey(action, element)));
          return { action, isReversal: true, elementsIn: () => elements };
        }),
      ...ACTION_ASPECTS.map((aspectName): Change => {
        const action: Action = { place: '/actions', aspectName, isTakenBack: true, elements: [] };
        return {
          action,
          isReversal: true,
          elementsIn: (state, author) =>
            listMarked(aspectName, state, author).filter((element) => isForgotten(action, element)),
        };
      }),
      ...current.map((action): Change => ({ action, isReversal: false, elementsIn: () => action.elements })),
    ],
  });
}

/**
 * Decides the patches by which a test says again what others have taken back, though its own outcome is not new: they had added the
 * element before it did.
 */
export function sayAgain(
  target: ActionTarget,
  test: ActingTest,
  { outcome, aspects, takenBack }: Given & Pick<Decision, 'takenBack'>,
): Decision {
  const changes = ACTION_OUTCOMES.flatMap((each) => (each === outcome ? test.actions[each] : [])).map(
    (action): Change => ({
      action,
      isReversal: false,
      elementsIn: () => action.elements.filter((element) => takenBack.has(toKey(action, element))),
    }),
  );
  return applyChanges(target, test, { aspects, changes });
}

interface Change {
  readonly action: Action;
  /** True: the elements are taken back. */
  readonly isReversal: boolean;
  readonly elementsIn: (state: AspectState, author: ActionAuthor) => readonly ActionElement[];
}

function applyChanges(
  target: ActionTarget,
  test: ActingTest,
  { aspects, changes }: Pick<Given, 'aspects'> & { readonly changes: readonly Change[] },
): Decision {
  const states = new Map(aspects);
  const patches: PlannedPatch[] = [];
  const takenBack = new Set<string>();
  for (const { action, isReversal, elementsIn } of changes) {
    const { aspectName, place, isTakenBack } = action;
    if (!target.entityType.aspects.has(aspectName)) continue;
    const author: ActionAuthor = { test: test.urn, actor: target.actor, nowMs: target.nowMs, isTakenBack };
    const state = states.get(aspectName) ?? NO_STATE;
    const written = elementsIn(state, author).flatMap((element) => {
      const each = isReversal ? element.takeBack(state, author) : element.write(state, author);
      return each.length === 0 ? [] : [{ element, each }];
    });
    if (written.length === 0) continue;
    const takesBackLater = isTakenBack && !isReversal;
    const patch: PlannedPatch = {
      test: test.urn,
      place,
      aspectName,
      isTakenBack: isReversal,
      ...(takesBackLater ? { takesBackLater } : {}),
      operations: written.flatMap(({ each }) => each),
    };
    const patched = applyPatch(target, state, patch);
    if ('rejection' in patched) patches.push({ ...patch, rejection: patched.rejection });
    else {
      patches.push(patch);
      states.set(aspectName, { ...patched, runId: runIdOfTest(author), isTakenBack: takesBackLater });
      if (isReversal) for (const { element } of written) takenBack.add(toKey(action, element));
    }
  }
  return { patches, aspects: states, takenBack };
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
