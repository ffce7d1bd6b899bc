import {
  InvalidRequestError,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MemberFault,
} from '@stratalog/model';
import { missingParameter } from '../parameters/missing-parameter';
import { describeInteger, toInteger, toLong, type IntegerBounds } from '../parameters/to-integer';

/** The most members that are compared with a missing one: more than any call has. */
const MAX_COMPARED = 100;

/**
 * The parameters of one action: the members of its body. An explicit `null` counts as absent. Members that no
 * reader requests are ignored.
 *
 * **Errors**: every reader throws `InvalidRequestError`, naming the parameter that is missing or wrong.
 */
export class ActionParameters {
  constructor(
    private readonly action: string,
    private readonly body: JsonObject,
    /** The names of all required parameters, so that one rejection names every missing one. */
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

  /** Also accepts digits in a string. */
  optionalInteger(name: string, bounds: IntegerBounds = {}): number | undefined {
    const value = this.member(name);
    if (value === undefined) return undefined;
    return toInteger(value, bounds) ?? this.wrong(name, describeInteger(bounds), value);
  }

  /**
   * Reads a 64-bit integer. Values beyond the safe range of a double are clamped to that range. Also accepts
   * digits in a string.
   */
  optionalLong(name: string, bounds: Pick<IntegerBounds, 'minimum'> = {}): number | undefined {
    const value = this.member(name);
    if (value === undefined) return undefined;
    return toLong(value, bounds) ?? this.wrong(name, describeInteger(bounds), value);
  }

  requiredInteger(name: string, bounds: IntegerBounds = {}): number {
    return this.optionalInteger(name, bounds) ?? this.missing(name);
  }

  /** Also accepts `"true"` and `"false"`: clients send `async` that way. */
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

  /**
   * Rejects a nested value for a reason that only the caller knows; `path` begins with the parameter and uses
   * slashes.
   */
  reject(path: string, reason: string): never {
    return this.rejectAll([{ path, reason }]);
  }

  /** Rejects several nested values; their paths begin in the member `place`. */
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

/** The start of a wrong value, enough to recognise it; a body may be megabytes. */
function excerpt(value: JsonValue): string {
  if (Array.isArray(value)) return 'a list';
  if (isJsonObject(value)) return 'an object';
  const text = typeof value === 'string' ? value.slice(0, 100) : String(value);
  return typeof value === 'string' ? `"${text}"` : text;
}
