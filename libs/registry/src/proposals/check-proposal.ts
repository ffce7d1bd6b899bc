import { parseUrn, type ReportUnknown, type Proposal } from '@stratalog/domain';
import { allSteps, parseUntrustedInSteps, type ParsedJson, type Steps } from '@stratalog/json';
import { parseAspectPatch, type AspectPatch } from '../patch/patch-aspect';
import { checkAspectInSteps } from '../values/check-aspect';
import { formatFaults, rejectReferences, type RejectReferences } from '../values/reject-references';
import { reportUnknownFields } from '../check/report-unknown-fields';
import {
  toTimeseriesChange,
  checkTimeseriesValue,
  type TimeseriesChange,
} from '../values/check-timeseries-value';
import {
  computeDefaultAspects,
  listDefaultNames,
  listNeighbours,
  type DefaultAspect,
  type WantedDefaults,
  type Neighbour,
} from '../values/compute-default-aspects';
import { requireEntityType, type KnownEntity } from '../values/require-entity-type';
import type { AspectType, EntityRegistry } from '../model/entity-registry';
import { findStoredRule, type StoredRule } from '../rules/stored-rule';
import { unknownAspect, unknownEntityType } from '../values/unknown-names';

/** A proposal that the writer may apply, or the sentence of its rejection. */
export type ProposalCheck =
  | AcceptedProposal
  | {
      readonly rejection: string;
      /** Set when a later model may accept the proposal. */
      readonly code?: 'unknown-aspect' | 'unknown-entity-type';
    };

interface AcceptedProposal {
  /**
   * Canonical JSON text of the aspect; for a key aspect it follows from the urn. Absent for a deletion, and when the
   * value depends on the stored one.
   */
  readonly value: string | undefined;
  /** For a patch: computes the new value from the stored one. */
  readonly patch?: AspectPatch;
  /** Reports the unknown fields of the proposed value; absent when there are none. */
  readonly reportUnknown?: (report: ReportUnknown) => Steps<void>;
  /** Present when the value has references that lead nowhere; decides by the stored value whether they are accepted. */
  readonly rejectReferences?: RejectReferences;
  /** Checks the new value against what is stored; absent when the model says all. */
  readonly rule?: StoredRule;
  /** For a timeseries aspect: the change of its values. */
  readonly timeseriesValues?: TimeseriesChange;
  readonly key: { readonly aspectName: string; readonly value: string };
  /** Lists the aspects of other entities that `defaults` depends on. */
  readonly neighbours: () => readonly Neighbour[];
  /** Lists the names of the default aspects of the entity. */
  readonly defaultNames: () => readonly string[];
  /** Computes the default aspects that the entity lacks. */
  readonly defaults: (wanted: WantedDefaults) => readonly DefaultAspect[];
}

/**
 * Checks one proposal against the model: urn, entity type, aspect and value.
 *
 * Skips the value when this very model has checked it before (`checkedBy`).
 */
export function checkProposal(registry: EntityRegistry, proposal: Proposal): ProposalCheck {
  return allSteps(checkProposalInSteps(registry, proposal));
}

/** Checks one proposal against the model, a large value in steps. */
export function* checkProposalInSteps(registry: EntityRegistry, proposal: Proposal): Steps<ProposalCheck> {
  const target = resolveTarget(registry, proposal);
  if ('rejection' in target) return target;
  const { entity, aspect } = target;
  const { entityType, keyText } = entity;
  const key = { aspectName: entityType.keyAspect.name, value: keyText };
  const rule = findStoredRule(entityType, aspect, proposal);
  const accepted = (value: string): AcceptedProposal => {
    const write = { entityType, key: entity.key, aspectName: aspect.name, value };
    return {
      value,
      key,
      ...(rule === undefined ? {} : { rule }),
      neighbours: () => listNeighbours(write),
      defaultNames: () => listDefaultNames(registry, entity),
      defaults: (wanted) => computeDefaultAspects(registry, write, wanted),
    };
  };
  const restatesStored = proposal.changeType === 'RESTATE' && proposal.value === undefined;
  if (proposal.changeType === 'DELETE' || restatesStored) {
    const nothing = {
      value: undefined,
      key,
      neighbours: () => [],
      defaultNames: () => [],
      defaults: () => [],
    };
    return yield* withTimeseriesValues(aspect, proposal, nothing);
  }
  if (proposal.changeType === 'PATCH') {
    const { urn, value = '' } = proposal;
    const patch = yield* parseAspectPatch(registry, aspect, { urn, value });
    return 'rejection' in patch ? patch : { ...accepted('{}'), value: undefined, ...patch };
  }
  if (aspect.isKey) return accepted(keyText);
  const checked = yield* checkValue(registry, aspect, proposal);
  if ('rejection' in checked) return checked;
  const { text, ...unknown } = checked;
  return yield* withTimeseriesValues(aspect, proposal, { ...accepted(text), ...unknown });
}

type Rejected = Extract<ProposalCheck, { readonly rejection: string }>;

/** Resolves the entity and the aspect of a proposal. */
function resolveTarget(
  registry: EntityRegistry,
  proposal: Proposal,
): { readonly entity: KnownEntity; readonly aspect: AspectType } | Rejected {
  const entity = requireEntityType(registry, proposal.urn);
  if ('fault' in entity) {
    if (!isOfUnknownType(registry, proposal)) {
      return { rejection: `Invalid urn ${proposal.urn}: ${entity.fault}` };
    }
    return { rejection: unknownEntityType(registry, proposal.entityType), code: 'unknown-entity-type' };
  }
  const { entityType } = entity;
  if (registry.entityType(proposal.entityType) !== entityType) {
    return {
      rejection: `URN entity type does not match MCP entity type. ${entityType.name} != ${proposal.entityType}`,
    };
  }
  const aspect = entityType.aspects.get(proposal.aspectName);
  if (aspect === undefined) {
    return { rejection: unknownAspect(entityType, proposal.aspectName), code: 'unknown-aspect' };
  }
  if (aspect.kind === 'timeseries') {
    const rejection = checkTimeseriesValue(aspect, proposal);
    if (rejection !== undefined) return { rejection };
  } else if (proposal.timestamps !== undefined) {
    return { rejection: `Aspect ${aspect.name} has versions, so a time range of it cannot be deleted` };
  }
  return { entity, aspect };
}

/** Checks a proposed value and returns its canonical text. */
function* checkValue(
  registry: EntityRegistry,
  aspect: AspectType,
  proposal: Proposal,
): Steps<
  ({ readonly text: string } & Pick<AcceptedProposal, 'reportUnknown' | 'rejectReferences'>) | Rejected
> {
  if (proposal.value === undefined) return { rejection: `Aspect ${aspect.name} has no value` };
  if (proposal.checkedBy === registry.fingerprint) return { text: proposal.value };
  const value = yield* readValue(proposal.value);
  if ('fault' in value) return { rejection: `Invalid format for aspect ${aspect.name}: ${value.fault}` };
  const check = yield* checkAspectInSteps(registry, aspect, value);
  if ('faults' in check) return { rejection: formatFaults(aspect, check.faults) };
  const { text, hasUnknown, wrongReferences } = check;
  return {
    text,
    ...(hasUnknown
      ? { reportUnknown: (report) => reportUnknownFields(aspect.record, value.value, report) }
      : {}),
    ...(wrongReferences.length === 0
      ? {}
      : { rejectReferences: rejectReferences(registry, aspect, wrongReferences) }),
  };
}

function* withTimeseriesValues(
  aspect: AspectType,
  proposal: Proposal,
  accepted: AcceptedProposal,
): Steps<ProposalCheck> {
  if (aspect.kind === 'versioned') return accepted;
  const timeseriesValues = yield* toTimeseriesChange(aspect, proposal, accepted.value);
  return 'rejection' in timeseriesValues ? timeseriesValues : { ...accepted, timeseriesValues };
}

/** True for a well-formed urn whose type matches the proposal's and is unknown to the model. */
function isOfUnknownType(registry: EntityRegistry, { urn, entityType }: Proposal): boolean {
  const parsed = parseUrn(urn);
  if ('fault' in parsed || parsed.urn.namespace !== registry.urnNamespace) return false;
  return parsed.urn.entityType === entityType && registry.entityType(entityType) === undefined;
}

function* readValue(text: string): Steps<ParsedJson | { readonly fault: string }> {
  try {
    return yield* parseUntrustedInSteps(text);
  } catch (error) {
    return { fault: error instanceof Error ? error.message : 'not JSON' };
  }
}
