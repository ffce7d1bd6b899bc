import { isJsonObject, parseUrn, type JsonValue, type Urn } from '@stratalog/model';
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

/** Checks the syntax of a urn and, by the rule, its entity type (ignoring case) and the parts of its id. */
export function urnCheck({ entityTypes, isStrict }: UrnRule, partsFault: PartsFault): Check {
  const wanted = new Set(entityTypes.map((type) => type.toLowerCase()));
  return (value, run) => {
    if (typeof value !== 'string') return run.fault(`must be a urn, not ${shown(value)}`);
    const parsed = parseUrn(value);
    if ('fault' in parsed) return run.fault(`must be a urn, not ${shown(value)}: ${parsed.fault}`);
    if (wanted.size > 0 && !wanted.has(parsed.urn.entityType.toLowerCase())) {
      return run.fault(`must be a urn of type ${entityTypes.join(' or ')}, not ${shown(value)}`);
    }
    const fault = isStrict ? partsFault(parsed.urn) : undefined;
    if (fault !== undefined) return run.fault(`must be a urn, not ${shown(value)}: ${fault}`);
    return quoted(value, run);
  };
}
