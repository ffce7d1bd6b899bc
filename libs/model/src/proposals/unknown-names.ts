import { UnknownNamesError } from '../errors/errors';
import { didYouMean } from '../errors/near-name';

/** So many are kept with what they may mean; of the others only the number. */
const MAX_KEPT = 20;
/** A name is shown so far: a request may hold one of megabytes. */
const MAX_SHOWN = 100;

/** Notes a name that was left out: where it stands, itself, and the names that are known there. */
export type NoteUnknown = (place: string, name: string, known: Iterable<string>) => void;

/**
 * The names in one request that nothing knows and that are passed over: members, parameters, fields of values, aspects to read. The call
 * is answered all the same, unless it is strict; then the names are its rejection.
 */
export class UnknownNames {
  private readonly kept: string[] = [];
  private noted = 0;

  constructor(readonly isStrict: boolean) {}

  /** How many there are. */
  get count(): number {
    return this.noted;
  }

  /** What to tell of them, a sentence each; of many the first. **Shape**: `/proposal/aspct is unknown; did you mean aspect?` */
  get texts(): readonly string[] {
    return this.kept;
  }

  /** `place` is the path that the name stands behind: `/proposal/`, or `?` of a query. */
  readonly note: NoteUnknown = (place, name, known) => {
    this.noted++;
    if (this.kept.length >= MAX_KEPT) return;
    const shown = name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN)}…` : name;
    this.kept.push(`${place}${shown} is unknown${didYouMean(name, known)}`);
  };

  /** Notes what stands within a part of the request; places begin there. */
  within(part: string): NoteUnknown {
    return (place, name, known) => {
      this.note(part + place, name, known);
    };
  }

  /**
   * To be called before anything is done.
   *
   * **Errors**: `UnknownNamesError` when the call is strict and has unknown names.
   */
  settle(): void {
    if (!this.isStrict || this.noted === 0) return;
    const more = this.noted - this.kept.length;
    const lines = more === 0 ? this.kept : [...this.kept, `and ${String(more)} more`];
    throw new UnknownNamesError(`A strict call may not have unknown names: ${lines.join('\n')}`);
  }
}
