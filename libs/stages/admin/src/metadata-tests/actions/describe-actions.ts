import type { JsonOutputObject } from '@stratalog/json';
import type { Explanations } from '../evaluate-entity';
import type { ActionPlan } from './plan-actions';

interface Described {
  readonly plan: ActionPlan;
  readonly explanations: Explanations | undefined;
}

/** Describes what a test writes, and why it does not. Beyond the bound of an answer it says so. */
export function describeActions(test: string, { plan, explanations }: Described): JsonOutputObject {
  const reason = plan.stopped.get(test);
  const stopped = reason === undefined ? {} : { stopped: reason };
  const patches = plan.patches.filter((patch) => patch.test === test);
  if (patches.length === 0 || explanations === undefined) return stopped;
  if (!explanations.isOpen) return { ...stopped, reason: 'the patches are too long' };
  const described = patches.map(({ place, aspectName, isTakenBack, operations, rejection }) => ({
    action: place,
    aspect: aspectName,
    ...(isTakenBack ? { takesBack: true } : {}),
    patch: operations,
    ...(rejection === undefined ? {} : { rejection }),
  }));
  explanations.take(described);
  return { ...stopped, patches: described };
}
