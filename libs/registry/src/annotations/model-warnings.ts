import type { JsonObject } from '@stratalog/model';
import { placeOf, type Origin } from '../pdl/source-file';

/** The options of an annotation: those that do something, and those that are for something that this catalog has not. */
export interface OptionNames {
  readonly effective: ReadonlySet<string>;
  readonly idle?: ReadonlySet<string>;
}

/**
 * What a model says that does nothing here, told once with its place. A warning is about what nothing understands, which may be a slip;
 * a note is about what is understood.
 */
export class ModelWarnings {
  private readonly warned = new Messages();
  private readonly noted = new Messages();

  /** Notes each option of an annotation's body that does nothing, and warns of each that nobody knows. */
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

  /** **Shape**: `file:line:column: message`, with the number of further places that say the same. */
  get warnings(): readonly string[] {
    return this.warned.lines();
  }

  /** As {@link warnings}. */
  get notes(): readonly string[] {
    return this.noted.lines();
  }
}

/** Messages with the first place of each, and how many there are. */
class Messages {
  private readonly found = new Map<string, { readonly first: Origin; readonly places: Set<string> }>();

  add(message: string, origin: Origin): void {
    const known = this.found.get(message);
    const place = `${origin.source.file}:${String(origin.at)}`;
    if (known === undefined) this.found.set(message, { first: origin, places: new Set([place]) });
    else known.places.add(place);
  }

  lines(): readonly string[] {
    return [...this.found].map(([message, { first, places }]) => {
      const more = places.size - 1;
      return `${placeOf(first)}: ${message}${more === 0 ? '' : ` (and at ${String(more)} more places)`}`;
    });
  }
}
