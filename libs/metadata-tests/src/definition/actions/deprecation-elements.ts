import { stringifyJson, type JsonObject } from '@stratalog/json';
import { runIdOfTest, type ActionElement } from './action';
import { add } from './element-values';

/** The members of a deprecation besides the flag itself. */
interface DeprecationMembers extends JsonObject {
  note: string;
}

/** Deprecates the entity unless it is deprecated. The record has no attribution: the run of its last write is its origin. */
export function deprecate(members: DeprecationMembers): ActionElement {
  return {
    target: [],
    // The store may keep the members in another order.
    added: stringifyJson(Object.fromEntries(Object.entries(members).sort())),
    write: ({ value }, { actor }) =>
      value?.deprecated === true ? [] : [add([], { deprecated: true, ...members, actor })],
    takeBack: ({ value, runId }, author) =>
      value?.deprecated === true && value.actor === author.actor && runId === runIdOfTest(author)
        ? [add(['deprecated'], false)]
        : [],
  };
}

/** Takes the advice back; its note stays. */
export function undeprecate(): ActionElement {
  return {
    target: [],
    added: undefined,
    write: ({ value }, { actor }) =>
      value?.deprecated === true ? [add(['deprecated'], false), add(['actor'], actor)] : [],
    takeBack: () => [],
  };
}
