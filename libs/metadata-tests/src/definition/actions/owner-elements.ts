import type { JsonObject } from '@stratalog/json';
import type { ActionElement } from './action';
import { add, isAddedBy, listElements, remove, toAttribution } from './element-values';

export const OWNERS = 'owners';

/** The role of an owner: a symbol of the model, and the ownership type that says more. */
export interface OwnerRole {
  readonly type: string;
  readonly typeUrn?: string;
}

/** Adds an owner unless the entity has it in this role, added by any actor. */
export function addOwner(owner: string, role: OwnerRole): ActionElement {
  const added = { owner, ...role };
  const path = toPath(added);
  return {
    target: path.slice(1),
    added: path.join(' '),
    write: (state, author) =>
      listElements(state, OWNERS).some((element) => isOwner(element, added))
        ? []
        : [add(path, { ...added, attribution: toAttribution(author) })],
    takeBack: (state, author) => {
      // Of two elements with one key a path names only the first.
      const [own, other] = listElements(state, OWNERS).filter((element) => isOwner(element, added));
      return own !== undefined && other === undefined && isAddedBy(own, author) ? [remove(path)] : [];
    },
  };
}

/** Removes an owner in one role, or in every role. */
export function removeOwner(owner: string, role: OwnerRole | undefined): ActionElement {
  return {
    target: role === undefined ? [owner] : toPath({ owner, ...role }).slice(1),
    added: undefined,
    write: (state) => {
      const found = listElements(state, OWNERS).filter((element) =>
        role === undefined ? element.owner === owner : isOwner(element, { owner, ...role }),
      );
      if (found.length === 0) return [];
      return [remove(role === undefined ? [OWNERS, owner] : toPath({ owner, ...role }))];
    },
    takeBack: () => [],
  };
}

interface Owner extends OwnerRole {
  readonly owner: string;
}

function toPath({ owner, type, typeUrn = '' }: Owner): readonly string[] {
  return [OWNERS, owner, type, typeUrn];
}

function isOwner(element: JsonObject, { owner, type, typeUrn }: Owner): boolean {
  return element.owner === owner && element.type === type && (element.typeUrn ?? undefined) === typeUrn;
}
