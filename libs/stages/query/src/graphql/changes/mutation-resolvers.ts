import { randomUUID } from 'node:crypto';
import type { Resolver } from '../fields/field-resolvers';
import { assignForm, assignFormByFilter } from './assign-forms';
import { addTags, addTerms, removeTags, removeTerms } from './change-labels';
import { addOwners, removeOwners, type SentOwner } from './change-owners';
import { removeProperties, upsertProperties, type SentProperties } from './change-properties';
import { updateDescription } from './describe';
import { raiseIncident, updateIncidentStatus, type SentIncident } from './incidents';
import { createTag, setDomain, updateDeprecation, type SentDeprecation } from './place';
import type { SentResource } from './propose';
import {
  reportAssertionResult,
  reportOperation,
  upsertCustomAssertion,
  type SentAssertion,
  type SentOperation,
  type SentResult,
} from './report';

interface Given<Input> {
  readonly input: Input;
}

interface OfTags {
  readonly tagUrns: readonly string[];
}

interface OfTerms {
  readonly termUrns: readonly string[];
}

interface OnSeveral {
  readonly resources: readonly SentResource[];
}

/** The changes that clients ask for by one name for one entity, and by another for several. */
export const MUTATION_RESOLVERS: Readonly<Record<string, Resolver>> = {
  'Mutation.addTag': (_root, { input }: Given<SentResource & { readonly tagUrn: string }>, scope) =>
    addTags(scope, { urns: [input.tagUrn], resources: [input] }),
  'Mutation.addTags': (_root, { input }: Given<SentResource & OfTags>, scope) =>
    addTags(scope, { urns: input.tagUrns, resources: [input] }),
  'Mutation.batchAddTags': (_root, { input }: Given<OnSeveral & OfTags>, scope) =>
    addTags(scope, { urns: input.tagUrns, resources: input.resources }),
  'Mutation.removeTag': (_root, { input }: Given<SentResource & { readonly tagUrn: string }>, scope) =>
    removeTags(scope, { urns: [input.tagUrn], resources: [input] }),
  'Mutation.batchRemoveTags': (_root, { input }: Given<OnSeveral & OfTags>, scope) =>
    removeTags(scope, { urns: input.tagUrns, resources: input.resources }),
  'Mutation.createTag': (
    _root,
    {
      input,
    }: Given<{ readonly id?: string | null; readonly name: string; readonly description?: string | null }>,
    scope,
  ) => createTag(scope, { ...input, id: input.id ?? randomUUID() }),
  'Mutation.addTerm': (_root, { input }: Given<SentResource & { readonly termUrn: string }>, scope) =>
    addTerms(scope, { urns: [input.termUrn], resources: [input] }),
  'Mutation.addTerms': (_root, { input }: Given<SentResource & OfTerms>, scope) =>
    addTerms(scope, { urns: input.termUrns, resources: [input] }),
  'Mutation.batchAddTerms': (_root, { input }: Given<OnSeveral & OfTerms>, scope) =>
    addTerms(scope, { urns: input.termUrns, resources: input.resources }),
  'Mutation.removeTerm': (_root, { input }: Given<SentResource & { readonly termUrn: string }>, scope) =>
    removeTerms(scope, { urns: [input.termUrn], resources: [input] }),
  'Mutation.batchRemoveTerms': (_root, { input }: Given<OnSeveral & OfTerms>, scope) =>
    removeTerms(scope, { urns: input.termUrns, resources: input.resources }),
  'Mutation.addOwner': (_root, { input }: Given<SentResource & SentOwner>, scope) =>
    addOwners(scope, [input], [{ resourceUrn: input.resourceUrn }]),
  'Mutation.addOwners': (
    _root,
    { input }: Given<SentResource & { readonly owners: readonly SentOwner[] }>,
    scope,
  ) => addOwners(scope, input.owners, [{ resourceUrn: input.resourceUrn }]),
  'Mutation.batchAddOwners': (
    _root,
    {
      input: { owners, ownershipTypeUrn, resources },
    }: Given<
      OnSeveral & { readonly owners: readonly SentOwner[]; readonly ownershipTypeUrn?: string | null }
    >,
    scope,
  ) =>
    addOwners(
      scope,
      owners.map((owner) => ({
        ...owner,
        ownershipTypeUrn:
          owner.ownershipTypeUrn ?? (typeof owner.type === 'string' ? null : ownershipTypeUrn),
      })),
      resources,
    ),
  'Mutation.removeOwner': (
    _root,
    {
      input: { ownerUrn, ...input },
    }: Given<SentResource & { readonly ownerUrn: string; readonly ownershipTypeUrn?: string | null }>,
    scope,
  ) => removeOwners(scope, { ...input, ownerUrns: [ownerUrn] }, [{ resourceUrn: input.resourceUrn }]),
  'Mutation.batchRemoveOwners': (
    _root,
    {
      input,
    }: Given<
      OnSeveral & { readonly ownerUrns: readonly string[]; readonly ownershipTypeUrn?: string | null }
    >,
    scope,
  ) => removeOwners(scope, input, input.resources),
  'Mutation.updateDescription': (
    _root,
    { input }: Given<SentResource & { readonly description: string }>,
    scope,
  ) => updateDescription(scope, input),
  'Mutation.setDomain': (
    _root,
    { entityUrn, domainUrn }: { readonly entityUrn: string; readonly domainUrn: string },
    scope,
  ) => setDomain(scope, domainUrn, [{ resourceUrn: entityUrn }]),
  'Mutation.unsetDomain': (_root, { entityUrn }: { readonly entityUrn: string }, scope) =>
    setDomain(scope, null, [{ resourceUrn: entityUrn }]),
  'Mutation.batchSetDomain': (
    _root,
    { input }: Given<OnSeveral & { readonly domainUrn?: string | null }>,
    scope,
  ) => setDomain(scope, input.domainUrn, input.resources),
  'Mutation.updateDeprecation': (_root, { input }: Given<SentDeprecation>, scope) =>
    updateDeprecation(scope, input),
  'Mutation.upsertStructuredProperties': (_root, { input }: Given<SentProperties>, scope) =>
    upsertProperties(scope, input),
  'Mutation.removeStructuredProperties': (
    _root,
    { input }: Given<{ readonly assetUrn: string; readonly structuredPropertyUrns: readonly string[] }>,
    scope,
  ) => removeProperties(scope, input),
  'Mutation.reportOperation': (_root, { input }: Given<SentOperation>, scope) =>
    reportOperation(scope, input),
  'Mutation.upsertCustomAssertion': (
    _root,
    { urn, input }: Given<SentAssertion> & { readonly urn?: string | null },
    scope,
  ) => upsertCustomAssertion(scope, urn, input),
  'Mutation.reportAssertionResult': (
    _root,
    { urn, result }: { readonly urn: string; readonly result: SentResult },
    scope,
  ) => reportAssertionResult(scope, urn, result),
  'Mutation.raiseIncident': (_root, { input }: Given<SentIncident>, scope) => raiseIncident(scope, input),
  'Mutation.updateIncidentStatus': (
    _root,
    { urn, input }: Given<NonNullable<SentIncident['status']>> & { readonly urn: string },
    scope,
  ) => updateIncidentStatus(scope, urn, input),
  'Mutation.batchAssignForm': (_root, { input }: Given<Parameters<typeof assignForm>[1]>, scope) =>
    assignForm(scope, input),
  'Mutation.createDynamicFormAssignment': (
    _root,
    { input }: Given<Parameters<typeof assignFormByFilter>[1]>,
    scope,
  ) => assignFormByFilter(scope, input),
};
