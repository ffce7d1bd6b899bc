import { parseUrn, type Urn } from '@stratalog/domain';
import { isJsonObject, type JsonValue } from '@stratalog/json';
import type { TyperefSchema } from '../schema/schema';
import { shown, type Check } from './check-run';
import { quoted } from './scalar-checks';

/** The urns that a place accepts. */
export interface UrnRule {
  /** Accepted entity types; empty: any type. */
  readonly entityTypes: readonly string[];
  /** True when the parts of the id must fit the key of its type. */
  readonly isStrict: boolean;
}

/**
 * Returns the fault of a urn's parts by the key of its entity type; `undefined` when they are valid or the type is
 * unknown.
 */
export type PartsFault = (urn: Urn) => string | undefined;

/** Returns the model's spelling of an entity type, ignoring case; `undefined` for an unknown one. */
export type Spelling = (entityType: string) => string | undefined;

/** Says how an entity type is spelled. */
export function spelledOtherwise(right: string, wrong: string): string {
  return `the entity type is spelled ${right}, not ${wrong}`;
}

const URN_CLASSES = 'com.linkedin.common.urn.';
const TYPED_URN_VALIDATOR = '.TypedUrnValidator';

/**
 * Reads the urn rule of a typeref: `@Urn`, `@Urn = {"entityType": "dataset"}`, or the annotations of Rest.li models
 * (`@java.class` and a `TypedUrnValidator` under `@validate`).
 */
export function readUrnRule({ annotations }: TyperefSchema): UrnRule | undefined {
  const own = annotations.Urn;
  if (own === true) return { entityTypes: [], isStrict: false };
  if (own !== undefined) return toRule(own);
  const javaClass = isJsonObject(annotations.java) ? annotations.java.class : undefined;
  if (typeof javaClass !== 'string' || !javaClass.startsWith(URN_CLASSES)) return undefined;
  const validators = isJsonObject(annotations.validate) ? Object.entries(annotations.validate) : [];
  return toRule(validators.find(([name]) => name.endsWith(TYPED_URN_VALIDATOR))?.[1]);
}

function toRule(body: JsonValue | undefined): UrnRule {
  const entityType = isJsonObject(body) ? body.entityType : undefined;
  return typeof entityType === 'string'
    ? { entityTypes: [entityType], isStrict: true }
    : { entityTypes: [], isStrict: false };
}

/** The types that a place is for, as sentences name them. */
export function wantedUrn(entityTypes: readonly string[], urn: string): string {
  return `must be a urn of type ${entityTypes.join(' or ')}, not ${shown(urn)}`;
}

/** Checks the syntax of a urn and, by the rule, its entity type and the parts of its id. */
export function urnCheck(
  { entityTypes, isStrict }: UrnRule,
  { partsFault, spelling }: { readonly partsFault: PartsFault; readonly spelling: Spelling },
): Check {
  const wanted = new Set(entityTypes.map((type) => type.toLowerCase()));
  return (value, run) => {
    if (typeof value !== 'string') return run.fault(`must be a urn, not ${shown(value)}`);
    const parsed = parseUrn(value);
    if ('fault' in parsed) return run.fault(`must be a urn, not ${shown(value)}: ${parsed.fault}`);
    if (wanted.size > 0 && !wanted.has(parsed.urn.entityType.toLowerCase())) {
      return run.fault(wantedUrn(entityTypes, value));
    }
    const { entityType } = parsed.urn;
    const spelled = wanted.size === 0 ? entityType : (spelling(entityType) ?? entityType);
    if (spelled !== entityType) {
      run.misspell(value, `must be a urn, not ${shown(value)}: ${spelledOtherwise(spelled, entityType)}`);
    }
    const fault = isStrict ? partsFault(parsed.urn) : undefined;
    if (fault !== undefined) return run.fault(`must be a urn, not ${shown(value)}: ${fault}`);
    return quoted(value, run);
  };
}
