import {
  InvalidRequestError,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MemberFault,
} from '@stratalog/model';
import { missingParameter } from './missing-parameter';
import { describeInteger, toInteger, toLong, type IntegerBounds } from './to-integer';

/** So many members are compared with a missing one: more than any call takes. */
const MAX_COMPARED = 100;

/**
 * The parameters of one action, that is the members of its body. An explicit `null` counts as absent; members that nobody asks
 * for are ignored.
 *
 * **Errors**: every reader throws `InvalidRequestError`, naming the parameter that is missing or wrong.
 */
export class ActionParameters {
  constructor(
    private readonly action: string,
    private readonly body: JsonObject,
    /** The names of all that must be there, so that one rejection can name those that are not. */
    private readonly required: readonly string[] = [],
  ) {}

  requiredString(name: string): string {
    return this.optionalString(name) ?? this.missing(name);
  }

  optionalString(name: string): string | undefined {
    const value = this.member(name);
    if (value === undefined || typeof value === 'string') return value;
    return this.wrong(name, 'a string', value);
  }

  /** **Errors**: also for a text of more than `maxBytes` in UTF-8. */
  requiredText(name: string, maxBytes: number): string {
    const text = this.requiredString(name);
    if (text.length > maxBytes || Buffer.byteLength(text) > maxBytes) {
      this.reject(name, `is longer than ${String(maxBytes)} bytes of UTF-8`);
    }
    return text;
  }

  /** Also takes digits in a string. */
  optionalInteger(name: string, bounds: IntegerBounds = {}): number | undefined {
    const value = this.member(name);
    if (value === undefined) return undefined;
    return toInteger(value, bounds) ?? this.wrong(name, describeInteger(bounds), value);
  }

  /** An integer of 64 bits; those beyond what a double holds count as the last that it holds. Also takes digits in a string. */
  optionalLong(name: string, bounds: Pick<IntegerBounds, 'minimum'> = {}): number | undefined {
    const value = this.member(name);
    if (value === undefined) return undefined;
    return toLong(value, bounds) ?? this.wrong(name, describeInteger(bounds), value);
  }

  requiredInteger(name: string, bounds: IntegerBounds = {}): number {
    return this.optionalInteger(name, bounds) ?? this.missing(name);
  }

  /** Also takes `"true"` and `"false"`: clients send `async` that way. */
  optionalBoolean(name: string): boolean | undefined {
    const value = this.member(name);
    if (value === undefined || typeof value === 'boolean') return value;
    const text = typeof value === 'string' ? value.toLowerCase() : '';
    if (text === 'true') return true;
    if (text === 'false') return false;
    return this.wrong(name, 'true or false', value);
  }

  requiredObject(name: string): JsonObject {
    return this.optionalObject(name) ?? this.missing(name);
  }

  optionalObject(name: string): JsonObject | undefined {
    const value = this.member(name);
    if (value === undefined || isJsonObject(value)) return value;
    return this.wrong(name, 'an object', value);
  }

  requiredList(name: string): readonly JsonValue[] {
    return this.optionalList(name) ?? this.missing(name);
  }

  /** **Errors**: also for a list of more than `maxElements`. */
  requiredBatch(name: string, maxElements: number): readonly JsonValue[] {
    const elements = this.requiredList(name);
    if (elements.length <= maxElements) return elements;
    return this.reject(
      name,
      `has ${String(elements.length)} elements; at most ${String(maxElements)} are taken at once`,
    );
  }

  optionalList(name: string): readonly JsonValue[] | undefined {
    const value = this.member(name);
    if (value === undefined || Array.isArray(value)) return value;
    return this.wrong(name, 'a list', value);
  }

  requiredStringList(name: string): readonly string[] {
    return this.optionalStringList(name) ?? this.missing(name);
  }

  optionalStringList(name: string): readonly string[] | undefined {
    return this.optionalList(name)?.map((element, index) =>
      typeof element === 'string' ? element : this.wrong(`${name}/${index}`, 'a string', element),
    );
  }

  /** For a nested fault that only the caller can see: `path` with slashes from the parameter on. */
  reject(path: string, reason: string): never {
    return this.rejectAll([{ path, reason }]);
  }

  /** For several nested faults; their paths begin in the member `place`. */
  rejectAll(faults: readonly MemberFault[], place?: string): never {
    const lines = faults.map(
      ({ path, reason }) => `/${place === undefined ? path : `${place}/${path}`} :: ${reason}`,
    );
    throw new InvalidRequestError(
      `Parameters of method '${this.action}' failed validation with error '${lines.join('\n')}'`,
    );
  }

  private member(name: string): JsonValue | undefined {
    return Object.hasOwn(this.body, name) ? (this.body[name] ?? undefined) : undefined;
  }

  private missing(name: string): never {
    const others = this.required.filter((each) => each !== name && this.member(each) === undefined);
    const given = Object.keys(this.body)
      .slice(0, MAX_COMPARED)
      .filter((each) => this.member(each) !== undefined);
    throw missingParameter(name, { others, given });
  }

  private wrong(path: string, wanted: string, value: JsonValue): never {
    return this.reject(path, `${excerpt(value)} is not ${wanted}`);
  }
}

/** Enough of a wrong value to recognise it by; a body may be megabytes. */
function excerpt(value: JsonValue): string {
  if (Array.isArray(value)) return 'a list';
  if (isJsonObject(value)) return 'an object';
  const text = typeof value === 'string' ? value.slice(0, 100) : String(value);
  return typeof value === 'string' ? `"${text}"` : text;
}
