import type { JsonObject } from '@stratalog/json';
import { placeOf, type Origin } from '../pdl/source-file';

/** Options of an annotation: those with an effect, and known ones without an effect in this catalog. */
export interface OptionNames {
  readonly effective: ReadonlySet<string>;
  readonly idle?: ReadonlySet<string>;
}

/**
 * Collects ignored parts of a model, each reported once with its place. A warning is about something unknown,
 * possibly a slip; a note is about something known without an effect.
 */
export class ModelWarnings {
  private readonly warned = new Messages();
  private readonly noted = new Messages();

  /** Reports each option of an annotation without an effect, and warns of each unknown option. */
  options(annotation: string, body: JsonObject, { effective, idle }: OptionNames, origin: Origin): void {
    for (const option of Object.keys(body)) {
      if (effective.has(option)) continue;
      if (idle?.has(option) === true)
        this.note(`@${annotation}: the option ${option} has no effect here`, origin);
      else this.warn(`@${annotation}: the option ${option} is not known and ignored`, origin);
    }
  }

  warn(message: string, origin: Origin): void {
    this.warned.add(message, origin);
  }

  note(message: string, origin: Origin): void {
    this.noted.add(message, origin);
  }

  /** **Shape**: `file:line:column: message`, with the number of further places of the same message. */
  get warnings(): readonly string[] {
    return this.warned.lines();
  }

  /** **Shape**: that of {@link warnings}. */
  get notes(): readonly string[] {
    return this.noted.lines();
  }
}

/** Messages with the first place and the set of all places of each. */
class Messages {
  private readonly byMessage = new Map<string, { readonly first: Origin; readonly places: Set<string> }>();

  add(message: string, origin: Origin): void {
    const known = this.byMessage.get(message);
    const place = `${origin.source.file}:${String(origin.at)}`;
    if (known === undefined) this.byMessage.set(message, { first: origin, places: new Set([place]) });
    else known.places.add(place);
  }

  lines(): readonly string[] {
    return [...this.byMessage].map(([message, { first, places }]) => {
      const more = places.size - 1;
      return `${placeOf(first)}: ${message}${more === 0 ? '' : ` (and at ${String(more)} more places)`}`;
    });
  }
}
