import type { Proposal, MemberFault } from '@stratalog/domain';
import type { AspectType, EntityType } from '../model/entity-registry';
import { formatFaults } from '../values/reject-references';
import type { Neighbour, ValueOf } from '../values/compute-default-aspects';
import { findDefinitionFaults } from './structured-property-definition';
import { findPropertyFaults, listDefinitions } from './structured-property-values';

/** A new value of an aspect, and what it is checked against. */
export interface StoredWrite {
  readonly entityType: EntityType;
  /** The text of the proposal: a value, or a patch. */
  readonly proposed: string;
  /** Canonical JSON text. */
  readonly value: string;
  /** The stored value; absent: none. */
  readonly current: string | undefined;
  /** Reads the neighbours of the rule. */
  readonly valueOf: ValueOf;
}

/** A check of a new value against what is stored, in addition to the model. The writer makes it under its locks. */
export interface StoredRule {
  /** The aspects of other entities that the check reads. */
  readonly neighbours: () => readonly Neighbour[];
  /** Returns the sentence of a rejection. */
  readonly reject: (write: Omit<StoredWrite, 'entityType' | 'proposed'>) => string | undefined;
}

type FindFaults = (write: StoredWrite) => readonly MemberFault[];

const RULES: ReadonlyMap<
  string,
  { readonly find: FindFaults; readonly list?: (text: string) => readonly Neighbour[] }
> = new Map([
  ['structuredProperties', { find: findPropertyFaults, list: listDefinitions }],
  ['propertyDefinition', { find: findDefinitionFaults }],
]);

/** Returns the rule for the values of an aspect, if it has one. */
export function findStoredRule(
  entityType: EntityType,
  aspect: AspectType,
  { value = '' }: Pick<Proposal, 'value'>,
): StoredRule | undefined {
  const rule = RULES.get(aspect.name);
  if (rule === undefined) return undefined;
  return {
    neighbours: () => rule.list?.(value) ?? [],
    reject: (write) => {
      const faults = rule.find({ ...write, entityType, proposed: value });
      return faults.length === 0 ? undefined : formatFaults(aspect, faults);
    },
  };
}
