import type { JsonValue } from '@stratalog/model';
import { dereferenced, type FieldSchema, type RecordSchema, type Schema } from '../schema';
import { arrayCheck, mapCheck } from './collection-checks';
import { checkInSteps, type Check, type CheckRun } from './check-run';
import { recordCheck } from './record-check';
import { enumCheck, fixedCheck, primitiveChecks } from './scalar-checks';
import { unionCheck } from './union-check';
import { urnCheck, urnRuleOf, type PartsFault } from './urn-check';
import { urnPartsFault } from './urn-parts-fault';
import { urnValidationOf } from './urn-validation';

/** Compiles schemas to checks, each record once; what a record refers to is compiled when a value first needs it. */
export class Checks {
  private readonly records = new Map<RecordSchema, Check>();
  private readonly partsFault: PartsFault;

  /**
   * `vendorPrefix`: what the model's names start with, e.g. `com.linkedin.`; `keys`: by the entity type's name in lower case, the record
   * of its key.
   */
  constructor(
    private readonly vendorPrefix: string,
    keys: ReadonlyMap<string, RecordSchema>,
  ) {
    this.partsFault = urnPartsFault(keys, (type) => this.checkOf(type));
  }

  checkOf(schema: Schema): Check {
    switch (schema.kind) {
      case 'primitive':
        return primitiveChecks[schema.name];
      case 'enum':
        return enumCheck(schema);
      case 'fixed':
        return fixedCheck(schema);
      case 'array':
        return arrayCheck(this.checkOf(schema.items));
      case 'map':
        return mapCheck(this.checkOf(schema.values));
      case 'union':
        return unionCheck(schema, (member) => this.checkOf(member), this.vendorPrefix);
      case 'typeref': {
        const rule = urnRuleOf(schema);
        return rule === undefined ? this.checkOf(schema.ref) : urnCheck(rule, this.partsFault);
      }
      case 'record':
        return this.recordCheckOf(schema);
    }
  }

  /** What a field says of its urns counts beside what its type says. */
  private fieldCheckOf(field: FieldSchema): Check {
    const rule = urnValidationOf(field);
    if (rule === undefined) return this.checkOf(field.type);
    const check = urnCheck(rule, this.partsFault);
    return dereferenced(field.type).kind === 'array' ? arrayCheck(check) : check;
  }

  private recordCheckOf(record: RecordSchema): Check {
    const known = this.records.get(record);
    if (known !== undefined) return known;
    let compiled: Check | undefined;
    // Records refer to each other in circles, so the fields are compiled at the first value and not here.
    const compile = (): Check => (compiled ??= recordCheck(record, (field) => this.fieldCheckOf(field)));
    const check: Check = Object.assign((value: JsonValue, run: CheckRun) => compile()(value, run), {
      inSteps: (value: JsonValue, run: CheckRun) => checkInSteps(compile(), value, run),
    });
    this.records.set(record, check);
    return check;
  }
}
