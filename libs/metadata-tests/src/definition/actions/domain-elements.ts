import type { JsonObject, JsonValue } from '@stratalog/json';
import type { ActionAuthor, ActionElement, ActionOperation, AspectState } from './action';
import { add, isAddedBy, listElements, remove, toAttribution } from './element-values';

const DOMAINS = 'domains';
/** The same domains, each with its origin. Patches by other clients need not have it. */
export const ASSOCIATIONS = 'domainAssociations';
/** Members that key arrays without keys of their own, for patches. */
export const ASSOCIATION_KEYS = { [ASSOCIATIONS]: ['domain'] };

/** Adds a domain unless the entity is in it. */
export function addDomain(domain: string): ActionElement {
  return {
    target: [domain],
    added: domain,
    write: (state, author) =>
      listDomains(state).includes(domain)
        ? []
        : [add([DOMAINS, domain], domain), add([ASSOCIATIONS, domain], toAssociation(domain, author))],
    takeBack: (state, author) => {
      const [own, other] = listAssociations(state, domain);
      const isOwn = own !== undefined && other === undefined && isAddedBy(own, author);
      return isOwn ? removeFrom(state, domain) : [];
    },
  };
}

export function removeDomain(domain: string): ActionElement {
  return {
    target: [domain],
    added: undefined,
    write: (state) => (listDomains(state).includes(domain) ? removeFrom(state, domain) : []),
    takeBack: () => [],
  };
}

/** Puts the entity in this domain and in no other one. */
export function setDomain(domain: string): ActionElement {
  return {
    target: [],
    added: domain,
    write: (state, author) => {
      const [first, second] = listDomains(state);
      return first === domain && second === undefined
        ? []
        : [add([DOMAINS], [domain]), add([ASSOCIATIONS], [toAssociation(domain, author)])];
    },
    takeBack: () => [],
  };
}

/** Takes the entity out of every domain. */
export function unsetDomains(): ActionElement {
  return {
    target: [],
    added: undefined,
    write: (state) => (listDomains(state).length === 0 ? [] : [add([DOMAINS], []), add([ASSOCIATIONS], [])]),
    takeBack: () => [],
  };
}

function removeFrom(state: AspectState, domain: string): readonly ActionOperation[] {
  return [
    ...(listDomains(state).includes(domain) ? [remove([DOMAINS, domain])] : []),
    ...(listAssociations(state, domain).length > 0 ? [remove([ASSOCIATIONS, domain])] : []),
  ];
}

function listDomains({ value }: AspectState): readonly JsonValue[] {
  const domains = value?.[DOMAINS];
  return Array.isArray(domains) ? domains : [];
}

function listAssociations(state: AspectState, domain: string): readonly JsonObject[] {
  return listElements(state, ASSOCIATIONS).filter((element) => element.domain === domain);
}

function toAssociation(domain: string, author: ActionAuthor): JsonObject {
  return { domain, attribution: toAttribution(author) };
}
