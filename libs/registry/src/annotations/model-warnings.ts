import type { JsonObject } from '@stratalog/model';
import { placeOf, type Origin } from '../source-file';

/** What a model says that nothing here understands: kept, without effect, and told once with its place. */
export class ModelWarnings {
  private readonly found = new Map<string, { readonly place: string; readonly places: Set<string> }>();

  /** Notes each option of an annotation's body that is not among `known`. */
  unknownOptions(annotation: string, body: JsonObject, known: ReadonlySet<string>, origin: Origin): void {
    for (const option of Object.keys(body)) {
      if (!known.has(option))
        this.add(`@${annotation}: the option ${option} is not known and ignored`, origin);
    }
  }

  add(message: string, origin: Origin): void {
    const place = placeOf(origin);
    const known = this.found.get(message);
    if (known === undefined) this.found.set(message, { place, places: new Set([place]) });
    else known.places.add(place);
  }

  /** **Shape**: `file:line:column: message`, with the number of further places that say the same. */
  lines(): readonly string[] {
    return [...this.found].map(([message, { place, places }]) => {
      const more = places.size - 1;
      return `${place}: ${message}${more === 0 ? '' : ` (and at ${String(more)} more places)`}`;
    });
  }
}
