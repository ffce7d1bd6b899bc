import { isJsonObject, parseUrn, type JsonValue } from '@stratalog/model';
import type { TyperefSchema } from '../schema';
import { shown, type Check } from './check-run';
import { quoted } from './scalar-checks';

/** What a typeref says about the urns that it stands for. */
export interface UrnRule {
  /** Absent: urns of any type. */
  readonly entityType?: string;
}

const URN_CLASSES = 'com.linkedin.common.urn.';
const TYPED_URN_VALIDATOR = '.TypedUrnValidator';

/**
 * The rule of a typeref that stands for urns: `@Urn`, `@Urn = {"entityType": "dataset"}`, or the pair of annotations that
 * models written for Rest.li carry (`@java.class` and a `TypedUrnValidator` under `@validate`).
 */
export function urnRuleOf({ annotations }: TyperefSchema): UrnRule | undefined {
  const own = annotations.Urn;
  if (own === true) return {};
  if (own !== undefined) return ruleOf(own);
  const javaClass = isJsonObject(annotations.java) ? annotations.java.class : undefined;
  if (typeof javaClass !== 'string' || !javaClass.startsWith(URN_CLASSES)) return undefined;
  const validators = isJsonObject(annotations.validate) ? Object.entries(annotations.validate) : [];
  return ruleOf(validators.find(([name]) => name.endsWith(TYPED_URN_VALIDATOR))?.[1]);
}

function ruleOf(body: JsonValue | undefined): UrnRule {
  const entityType = isJsonObject(body) ? body.entityType : undefined;
  return typeof entityType === 'string' ? { entityType } : {};
}

/** Checks the syntax of a urn and, where the rule names one, its entity type without regard to case. */
export function urnCheck({ entityType }: UrnRule): Check {
  const wanted = entityType?.toLowerCase();
  return (value, run) => {
    if (typeof value !== 'string') return run.fault(`must be a urn, not ${shown(value)}`);
    const parsed = parseUrn(value);
    if ('fault' in parsed) return run.fault(`must be a urn, not ${shown(value)}: ${parsed.fault}`);
    if (wanted !== undefined && parsed.urn.entityType.toLowerCase() !== wanted) {
      return run.fault(`must be a urn of type ${String(entityType)}, not ${shown(value)}`);
    }
    return quoted(value, run);
  };
}
