import { isJsonObject, type JsonObject, type JsonValue } from '../json/json';
import { nearestName } from '../errors/near-name';
import { parseUntrustedJson } from '../json/parse-untrusted-json';

/** What is wrong with one member of a sent object. */
export interface MemberFault {
  /** With slashes, from the object on. */
  readonly path: string;
  readonly reason: string;
}

/** More faults than these say nothing new. */
export const MAX_MEMBER_FAULTS = 10;

/** Ends the reading of one member; {@link FaultCollector} keeps it. */
class MemberFaultError extends Error {
  constructor(readonly fault: MemberFault) {
    super(`${fault.path} ${fault.reason}`);
  }
}

/** Reads members one by one and keeps what is wrong with each, so that a caller learns of all of it at once. */
export class FaultCollector {
  private readonly found = new Map<string, MemberFault>();
  private failure: { readonly error: unknown } | undefined;

  /** What `read` answers; `otherwise` after a fault, which is kept. */
  attempt<T>(read: () => T, otherwise: T): T {
    try {
      return read();
    } catch (error) {
      if (error instanceof MemberFaultError) this.found.set(error.message, error.fault);
      else this.failure ??= { error };
      return otherwise;
    }
  }

  /** The faults so far, each once, at most {@link MAX_MEMBER_FAULTS}. An error that is none is thrown when there are no faults. */
  settle(): readonly MemberFault[] {
    if (this.found.size === 0 && this.failure !== undefined) throw this.failure.error;
    return [...this.found.values()].slice(0, MAX_MEMBER_FAULTS);
  }
}

/** The members of one nested object, read with their full path in every fault; each reader throws what {@link FaultCollector} takes. */
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

  /** An epoch millisecond; 0 stands for none. */
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

  /** The texts whose names mean something, by their usual names. */
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

  /** A member that is missing may be there under a misspelt name. */
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
