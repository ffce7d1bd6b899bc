import { isJsonObject, type JsonObject, type JsonValue, parseUntrustedJson } from '@stratalog/json';
import { nearestName } from '../errors/near-name';

/** The fault of one member of a sent object. */
export interface MemberFault {
  /** Path from the object to the member, separated by slashes. */
  readonly path: string;
  readonly reason: string;
}

/** Most faults in one answer; more would tell the caller nothing new. */
export const MAX_MEMBER_FAULTS = 10;

/** Aborts the reading of one member; {@link FaultCollector} catches it. */
class MemberFaultError extends Error {
  constructor(readonly fault: MemberFault) {
    super(`${fault.path} ${fault.reason}`);
  }
}

/** Reads members one by one and collects their faults, so one answer reports all of them. */
export class FaultCollector {
  private readonly faults = new Map<string, MemberFault>();
  private failure: { readonly error: unknown } | undefined;

  /** Runs `read` and returns its result; after a fault, records the fault and returns `otherwise`. */
  attempt<T>(read: () => T, otherwise: T): T {
    try {
      return read();
    } catch (error) {
      if (error instanceof MemberFaultError) this.faults.set(error.message, error.fault);
      else this.failure ??= { error };
      return otherwise;
    }
  }

  /**
   * Returns the distinct faults so far, at most {@link MAX_MEMBER_FAULTS}.
   *
   * **Errors**: rethrows the first error of another kind when there are no faults.
   */
  settle(): readonly MemberFault[] {
    if (this.faults.size === 0 && this.failure !== undefined) throw this.failure.error;
    return [...this.faults.values()].slice(0, MAX_MEMBER_FAULTS);
  }
}

/**
 * The members of one nested object. Every fault names the member's full path; each reader throws a fault for {@link
 * FaultCollector}.
 */
export class Members {
  constructor(
    private readonly path: string,
    private readonly object: JsonObject,
  ) {}

  requiredText(name: string): string {
    return this.optionalText(name) ?? this.missing(name);
  }

  optionalText(name: string): string | undefined {
    const value = this.member(name);
    if (value === undefined || typeof value === 'string') return value;
    return this.reject(name, 'is not a string');
  }

  /** A time in epoch milliseconds; 0 means absent. */
  optionalTime(name: string): number | undefined {
    const value = this.member(name);
    if (value === undefined || value === 0) return undefined;
    if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value;
    return this.reject(name, 'is not a time in epoch milliseconds');
  }

  optionalObject(name: string): Members | undefined {
    const value = this.member(name);
    if (value === undefined) return undefined;
    if (!isJsonObject(value)) return this.reject(name, 'is not an object');
    return new Members(this.pathOf(name), value);
  }

  /** One command of the newest client sends this object as JSON text. */
  optionalObjectOrText(name: string): Members | undefined {
    const value = this.member(name);
    if (typeof value !== 'string') return this.optionalObject(name);
    const object = objectIn(value);
    if (object === undefined) return this.reject(name, 'is neither an object nor the JSON text of one');
    return new Members(this.pathOf(name), object);
  }

  /** Reads the text members with a known meaning, keyed by their canonical names. */
  named(meaningOf: (name: string) => string | undefined): Record<string, string> {
    const named: Record<string, string> = {};
    for (const name of this.names()) {
      const known = meaningOf(name);
      if (known === undefined) continue;
      if (known in named) this.reject(name, 'is there twice');
      named[known] = this.requiredText(name);
    }
    return named;
  }

  texts(): JsonObject {
    const texts: JsonObject = {};
    for (const name of Object.keys(this.object)) {
      const text = this.optionalText(name);
      if (text !== undefined) texts[name] = text;
    }
    return texts;
  }

  /** Rejects a missing member, and names a member that may be a misspelling of it. */
  missing(name: string): never {
    const near = nearestName(name, this.names());
    const meant = near === undefined ? '' : `; did you mean it by ${near}?`;
    return this.reject(name, `is required${meant}`);
  }

  reject(name: string, reason: string): never {
    throw new MemberFaultError({ path: this.pathOf(name), reason });
  }

  /** Names of the members that are not null. */
  private names(): string[] {
    return Object.keys(this.object).filter((name) => this.member(name) !== undefined);
  }

  private pathOf(name: string): string {
    return this.path === '' ? name : `${this.path}/${name}`;
  }

  private member(name: string): JsonValue | undefined {
    return Object.hasOwn(this.object, name) ? (this.object[name] ?? undefined) : undefined;
  }
}

function objectIn(text: string): JsonObject | undefined {
  try {
    const value = parseUntrustedJson(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
