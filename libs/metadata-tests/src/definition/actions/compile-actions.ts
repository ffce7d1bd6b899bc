import { didYouMean } from '@stratalog/domain';
import type { JsonValue } from '@stratalog/json';
import type { EntityRegistry, EntityType } from '@stratalog/registry';
import { readObject, rejectUnknown } from '../members';
import type { FaultPlace } from '../../fault-place';
import { MAX_ACTIONS } from '../../limits';
import { show } from '../../show';
import { ACTION_OUTCOMES, type Action, type ActionElement, type TestActions } from './action';
import { ACTION_TYPES, KEPT_TYPES, findForm, type ActionForm } from './action-forms';
import { ActionParams } from './action-params';

const TYPE = 'type';
const TAKE_BACK = 'takeBack';
const OWN_MEMBERS = [TYPE, TAKE_BACK, 'params'];

interface Compilation {
  readonly registry: EntityRegistry;
  /** Entity types of the test. */
  readonly types: readonly EntityType[];
}

/** Compiles the actions of a definition by the model. Reports every fault that it finds; then the result is not to be used. */
export function compileActions(
  compilation: Compilation,
  sent: JsonValue | undefined,
  place: FaultPlace,
): TestActions {
  const actions = sent === undefined ? undefined : readObject(sent, place);
  if (actions === undefined) return { passing: [], failing: [] };
  rejectUnknown(actions, ACTION_OUTCOMES, place);
  const [passing, failing] = ACTION_OUTCOMES.map((outcome) =>
    compileList(compilation, actions[outcome], place.at(outcome)),
  );
  return { passing: passing ?? [], failing: failing ?? [] };
}

function compileList(
  compilation: Compilation,
  sent: JsonValue | undefined,
  place: FaultPlace,
): readonly Action[] {
  if (sent === undefined) return [];
  if (!Array.isArray(sent)) place.fault('is no list of actions');
  else if (sent.length > MAX_ACTIONS) place.fault(`has more than ${String(MAX_ACTIONS)} actions`);
  else {
    const actions = sent.flatMap(
      (action, index) => compileAction(compilation, action, place.at(index)) ?? [],
    );
    rejectConflicts(actions, place);
    return actions;
  }
  return [];
}

function compileAction(
  { registry, types }: Compilation,
  sent: JsonValue,
  place: FaultPlace,
): Action | undefined {
  const action = readObject(sent, place);
  if (action === undefined) return undefined;
  const form = readForm(action[TYPE], place.at(TYPE));
  if (form === undefined) return undefined;
  const params = new ActionParams(registry, types, action, place);
  params.check(form.params, OWN_MEMBERS);
  const { aspectName } = form;
  if (!types.some(({ aspects }) => aspects.has(aspectName))) {
    const names = types.map(({ name }) => name).join(', ');
    place.at(TYPE).fault(`writes ${aspectName}, which no type of the test has: ${show(names)}`);
  }
  const isTakenBack = readTakeBack(action[TAKE_BACK], form, place.at(TAKE_BACK));
  return { place: place.path, aspectName, isTakenBack, elements: form.read(params) };
}

/** Reads the type of an action; `undefined` for one that is kept and not run, and for a fault. */
function readForm(sent: JsonValue | undefined, place: FaultPlace): ActionForm | undefined {
  if (typeof sent !== 'string') {
    place.fault(sent === undefined ? 'is missing' : 'is no text');
    return;
  }
  const type = sent.toUpperCase();
  const form = findForm(type);
  if (form === undefined && !KEPT_TYPES.some((kept) => kept === type)) {
    place.fault(`is unknown${didYouMean(sent, ACTION_TYPES)}`);
  }
  return form;
}

function readTakeBack(sent: JsonValue | undefined, { canTakeBack }: ActionForm, place: FaultPlace): boolean {
  if (sent === undefined) return false;
  if (typeof sent !== 'boolean') place.fault(`is neither true nor false: ${show(sent)}`);
  else if (sent && !canTakeBack) {
    place.fault('is for actions that add; nothing says what this one removed or replaced');
  }
  return sent === true;
}

/** Reports elements that a list writes twice. */
function rejectConflicts(actions: readonly Action[], place: FaultPlace): void {
  const seen: { readonly action: Action; readonly element: ActionElement }[] = [];
  for (const [index, action] of actions.entries()) {
    for (const element of action.elements) {
      const former = seen.find(
        (each) => each.action.aspectName === action.aspectName && areOne(each.element, element),
      );
      if (former !== undefined) {
        const target = show(element.target.join(' '));
        place
          .at(index)
          .fault(`writes what ${former.action.place} writes too: ${action.aspectName} ${target}`.trimEnd());
      }
      seen.push({ action, element });
    }
  }
}

/** Returns whether an element is another one, or stands for it. */
function areOne({ target: one }: ActionElement, { target: other }: ActionElement): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.every((part, at) => part === long[at]);
}
