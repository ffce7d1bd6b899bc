import { parseUntrustedJson, type JsonValue, type Proposal } from '@stratalog/model';
import { checkAspect } from './check-aspect';
import {
  defaultAspectsOf,
  neighboursOf,
  type DefaultAspect,
  type Neighbour,
  type ValueOf,
} from '../default-aspects-of';
import { entityOf } from '../entity-of';
import type { EntityRegistry } from '../entity-registry';

/** A proposal as the writer may apply it, or the sentence that says why not. */
export type ProposalCheck =
  | {
      /** The aspect's canonical JSON text; for a key aspect what the urn says. */
      readonly value: string;
      readonly key: { readonly aspectName: string; readonly value: string };
      /** Aspects of other entities that the defaults depend on. */
      readonly neighbours: () => readonly Neighbour[];
      /** What the entity has besides from its beginning; asked for only when this is its first proposal. */
      readonly defaults: (valueOf: ValueOf) => readonly DefaultAspect[];
    }
  | {
      readonly refusal: string;
      /** The entity type has no such aspect; a later model may have. */
      readonly isUnknownAspect?: true;
    };

/**
 * Checks one proposal against the model: urn, entity type, aspect and value.
 *
 * A proposal that this very model has checked before (`checkedBy`) is not read again.
 */
export function checkProposal(registry: EntityRegistry, proposal: Proposal): ProposalCheck {
  if (proposal.changeType !== 'UPSERT') {
    return { refusal: `changeType ${proposal.changeType} is not supported yet; supported: UPSERT` };
  }
  const entity = entityOf(registry, proposal.urn);
  if ('fault' in entity) return { refusal: `Invalid urn ${proposal.urn}: ${entity.fault}` };
  const { entityType } = entity;
  if (registry.entityType(proposal.entityType) !== entityType) {
    return {
      refusal: `URN entity type does not match MCP entity type. ${entityType.name} != ${proposal.entityType}`,
    };
  }
  const aspect = entityType.aspects.get(proposal.aspectName);
  if (aspect === undefined) {
    return {
      refusal: `Unknown aspect ${proposal.aspectName} for entity ${entityType.name}`,
      isUnknownAspect: true,
    };
  }
  if (aspect.kind === 'timeseries') {
    return {
      refusal: `Aspect ${aspect.name} is a timeseries aspect; timeseries aspects are not supported yet`,
    };
  }
  const key = { aspectName: entityType.keyAspect.name, value: entity.keyText };
  const accepted = (value: string): ProposalCheck => {
    const beginning = { entityType, key: entity.key, aspectName: aspect.name, value };
    return {
      value,
      key,
      neighbours: () => neighboursOf(beginning),
      defaults: (valueOf) => defaultAspectsOf(registry, beginning, valueOf),
    };
  };
  if (aspect.isKey) return accepted(entity.keyText);
  if (proposal.value === undefined) return { refusal: `Aspect ${aspect.name} has no value` };
  if (proposal.checkedBy === registry.fingerprint) return accepted(proposal.value);
  const value = readValue(proposal.value);
  if ('fault' in value) return { refusal: `Invalid format for aspect ${aspect.name}: ${value.fault}` };
  const check = checkAspect(registry, aspect, value.json);
  if ('faults' in check) {
    const faults = check.faults.map(({ path, reason }) => `ERROR :: ${path} :: ${reason}`).join('\n');
    return { refusal: `Failed to validate record with class ${aspect.recordName}: ${faults}` };
  }
  return accepted(check.text);
}

function readValue(text: string): { readonly json: JsonValue } | { readonly fault: string } {
  try {
    return { json: parseUntrustedJson(text) };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : 'not JSON' };
  }
}
