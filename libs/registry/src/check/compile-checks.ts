import type { JsonValue } from '@stratalog/json';
import { dereferenced, type FieldSchema, type RecordSchema, type Schema } from '../schema/schema';
import { arrayCheck, mapCheck } from './collection-checks';
import { checkInSteps, type Check, type CheckRun } from './check-run';
import { recordCheck } from './record-check';
import { enumCheck, fixedCheck, primitiveChecks } from './scalar-checks';
import { unionCheck } from './union-check';
import { urnCheck, readUrnRule, type PartsFault, type Spelling } from './urn-check';
import { urnPartsFault } from './urn-parts-fault';
import { readUrnValidation } from './urn-validation';

/** Compiles schemas to checks, each record once. It compiles referenced records when a value first needs them. */
export class Checks {
  private readonly records = new Map<RecordSchema, Check>();
  readonly partsFault: PartsFault;

  /**
   * `vendorPrefix` is the prefix of the model's names, e.g. `com.linkedin.`. `keys` maps the entity type's name in
   * lower case to its key record; `spelling` knows its name.
   */
  constructor(
    private readonly vendorPrefix: string,
    keys: ReadonlyMap<string, RecordSchema>,
    readonly spelling: Spelling,
  ) {
    this.partsFault = urnPartsFault(keys, (type) => this.compileCheck(type));
  }

  compileCheck(schema: Schema): Check {
    switch (schema.kind) {
      case 'primitive':
        return primitiveChecks[schema.name];
      case 'enum':
        return enumCheck(schema);
      case 'fixed':
        return fixedCheck(schema);
      case 'array':
        return arrayCheck(this.compileCheck(schema.items));
      case 'map':
        return mapCheck(this.compileCheck(schema.values));
      case 'union':
        return unionCheck(schema, (member) => this.compileCheck(member), this.vendorPrefix);
      case 'typeref': {
        const rule = readUrnRule(schema);
        return rule === undefined ? this.compileCheck(schema.ref) : urnCheck(rule, this);
      }
      case 'record':
        return this.compileRecordCheck(schema);
    }
  }

  /** The rule of a field replaces the rule of its type. */
  private compileFieldCheck(field: FieldSchema): Check {
    const rule = readUrnValidation(field);
    if (rule === undefined) return this.compileCheck(field.type);
    const check = urnCheck(rule, this);
    return dereferenced(field.type).kind === 'array' ? arrayCheck(check) : check;
  }

  private compileRecordCheck(record: RecordSchema): Check {
    const known = this.records.get(record);
    if (known !== undefined) return known;
    let compiled: Check | undefined;
    // Records refer to each other in cycles, so their fields are compiled at the first value and not here.
    const compile = (): Check => (compiled ??= recordCheck(record, (field) => this.compileFieldCheck(field)));
    const check: Check = Object.assign((value: JsonValue, run: CheckRun) => compile()(value, run), {
      inSteps: (value: JsonValue, run: CheckRun) => checkInSteps(compile(), value, run),
    });
    this.records.set(record, check);
    return check;
  }
}
