import type { JsonValue } from '@stratalog/json';
import { ACTION_ASPECTS, type ActionAspect, type ActionElement } from './action';
import type { ActionParams } from './action-params';
import {
  TAGS,
  TERMS,
  addElement,
  addProperty,
  removeElement,
  removeProperty,
  setProperty,
} from './attributed-elements';
import { deprecate, undeprecate } from './deprecation-elements';
import { addDomain, removeDomain, setDomain, unsetDomains } from './domain-elements';
import { addOwner, removeOwner, type OwnerRole } from './owner-elements';

/** How actions of one type are read. */
export interface ActionForm {
  readonly aspectName: ActionAspect;
  readonly params: readonly string[];
  /** True when what it adds can be taken back: it replaces nothing, and what it adds says which test added it. */
  readonly canTakeBack: boolean;
  /** Reads the elements, and notes faults of the parameters. */
  readonly read: (params: ActionParams) => readonly ActionElement[];
}

const VALUES = ['values', 'value'] as const;
export const ROLES = ['ownershipType', 'ownerType'] as const;
const PROPERTY = 'property';
const NOTE = 'note';
const REPLACEMENT = 'replacement';
const END = 'decommissionTime';
/** The role of an owner for which a definition names none. */
const DEFAULT_ROLE: OwnerRole = { type: 'TECHNICAL_OWNER' };
const OWNERS = ['corpuser', 'corpGroup'];

const [globalTags, glossaryTerms, ownership, domains, deprecation, structuredProperties] = ACTION_ASPECTS;

/** Reads urns of one type, each of which becomes an element. */
function ofEach(
  aspectName: ActionAspect,
  type: string,
  toElement: (urn: string) => ActionElement,
): Pick<ActionForm, 'aspectName' | 'params' | 'read'> {
  return {
    aspectName,
    params: VALUES,
    read: (params) => params.readUrns(VALUES, [type]).map(toElement),
  };
}

const OF_ADDING = { canTakeBack: true } as const;
const OF_REMOVING = { canTakeBack: false } as const;

const FORMS = {
  ADD_TAGS: { ...ofEach(globalTags, 'tag', (urn) => addElement(TAGS, urn)), ...OF_ADDING },
  REMOVE_TAGS: { ...ofEach(globalTags, 'tag', (urn) => removeElement(TAGS, urn)), ...OF_REMOVING },
  ADD_GLOSSARY_TERMS: {
    ...ofEach(glossaryTerms, 'glossaryTerm', (urn) => addElement(TERMS, urn)),
    ...OF_ADDING,
  },
  REMOVE_GLOSSARY_TERMS: {
    ...ofEach(glossaryTerms, 'glossaryTerm', (urn) => removeElement(TERMS, urn)),
    ...OF_REMOVING,
  },
  SET_DOMAIN: {
    aspectName: domains,
    params: VALUES,
    read: (params) =>
      [params.readUrn(VALUES, ['domain'])].flatMap((urn) => (urn === undefined ? [] : setDomain(urn))),
    ...OF_REMOVING,
  },
  UNSET_DOMAIN: { aspectName: domains, params: [], read: () => [unsetDomains()], ...OF_REMOVING },
  ADD_DOMAINS: { ...ofEach(domains, 'domain', addDomain), ...OF_ADDING },
  REMOVE_DOMAINS: { ...ofEach(domains, 'domain', removeDomain), ...OF_REMOVING },
  ADD_OWNERS: {
    aspectName: ownership,
    params: [...VALUES, ...ROLES],
    read: (params) => {
      const role = params.readRole(ROLES) ?? DEFAULT_ROLE;
      return params.readUrns(VALUES, OWNERS).map((owner) => addOwner(owner, role));
    },
    ...OF_ADDING,
  },
  REMOVE_OWNERS: {
    aspectName: ownership,
    params: [...VALUES, ...ROLES],
    read: (params) => {
      const role = params.readRole(ROLES);
      return params.readUrns(VALUES, OWNERS).map((owner) => removeOwner(owner, role));
    },
    ...OF_REMOVING,
  },
  DEPRECATE: {
    aspectName: deprecation,
    params: [NOTE, REPLACEMENT, END],
    read: (params) => {
      const replacement = params.has(REPLACEMENT) ? params.readUrn([REPLACEMENT], undefined) : undefined;
      const decommissionTime = params.readTime(END);
      return [
        deprecate({
          note: params.readText(NOTE) ?? '',
          ...(replacement === undefined ? {} : { replacement }),
          ...(decommissionTime === undefined ? {} : { decommissionTime }),
        }),
      ];
    },
    ...OF_ADDING,
  },
  UN_DEPRECATE: { aspectName: deprecation, params: [], read: () => [undeprecate()], ...OF_REMOVING },
  ADD_STRUCTURED_PROPERTY: { ...ofProperty(addProperty), ...OF_ADDING },
  SET_STRUCTURED_PROPERTY: { ...ofProperty(setProperty), ...OF_REMOVING },
  REMOVE_STRUCTURED_PROPERTY: {
    aspectName: structuredProperties,
    params: [PROPERTY],
    read: (params) =>
      [params.readUrn([PROPERTY], ['structuredProperty'])].flatMap((urn) =>
        urn === undefined ? [] : removeProperty(urn),
      ),
    ...OF_REMOVING,
  },
} as const satisfies Readonly<Record<string, ActionForm>>;

function ofProperty(
  toElement: (urn: string, values: JsonValue[]) => ActionElement,
): Pick<ActionForm, 'aspectName' | 'params' | 'read'> {
  return {
    aspectName: structuredProperties,
    params: [PROPERTY, ...VALUES],
    read: (params) => {
      const urn = params.readUrn([PROPERTY], ['structuredProperty']);
      const values = params.readPropertyValues(VALUES);
      return urn === undefined || values.length === 0 ? [] : [toElement(urn, values)];
    },
  };
}

/** Types that definitions of other catalogs have; they are kept, not run. */
export const KEPT_TYPES = ['ASSIGN_FORM', 'UNASSIGN_FORM', 'SET_FORM_PROMPT_INCOMPLETE'] as const;
export const RUN_TYPES = Object.keys(FORMS);
export const ACTION_TYPES: readonly string[] = [...RUN_TYPES, ...KEPT_TYPES];

/** Returns how actions of a type are read; `undefined` for types that are kept, not run. */
export function findForm(type: string): ActionForm | undefined {
  return Object.entries<ActionForm>(FORMS).find(([name]) => name === type)?.[1];
}
