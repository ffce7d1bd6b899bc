import { isJsonObject, parseUrn, type JsonValue, type Urn } from '@stratalog/model';
import type { TyperefSchema } from '../schema/schema';
import { shown, type Check } from './check-run';
import { quoted } from './scalar-checks';

/** What urns a place takes. */
export interface UrnRule {
  /** Empty: urns of any type. */
  readonly entityTypes: readonly string[];
  /** Whether the parts of its id must fit the key of its type. */
  readonly isStrict: boolean;
}

/** Says what is wrong with the parts of a urn, by the key of its entity type; `undefined` when nothing is, or the type is not known. */
export type PartsFault = (urn: Urn) => string | undefined;

const URN_CLASSES = 'com.linkedin.common.urn.';
const TYPED_URN_VALIDATOR = '.TypedUrnValidator';

/**
 * The rule of a typeref that stands for urns: `@Urn`, `@Urn = {"entityType": "dataset"}`, or the pair of annotations that
 * models written for Rest.li carry (`@java.class` and a `TypedUrnValidator` under `@validate`).
 */
export function readUrnRule({ annotations }: TyperefSchema): UrnRule | undefined {
  const own = annotations.Urn;
  if (own === true) return { entityTypes: [], isStrict: false };
  if (own !== undefined) return ruleOf(own);
  const javaClass = isJsonObject(annotations.java) ? annotations.java.class : undefined;
  if (typeof javaClass !== 'string' || !javaClass.startsWith(URN_CLASSES)) return undefined;
  const validators = isJsonObject(annotations.validate) ? Object.entries(annotations.validate) : [];
  return ruleOf(validators.find(([name]) => name.endsWith(TYPED_URN_VALIDATOR))?.[1]);
}

function ruleOf(body: JsonValue | undefined): UrnRule {
  const entityType = isJsonObject(body) ? body.entityType : undefined;
  return typeof entityType === 'string'
    ? { entityTypes: [entityType], isStrict: true }
    : { entityTypes: [], isStrict: false };
}

/** Checks the syntax of a urn and, where the rule says so, its entity type without regard to case, and the parts of its id. */
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
