import { UnknownNamesError } from '../errors/errors';
import { didYouMean } from '../errors/near-name';

/** Most unknown names that an answer lists with a suggestion; it only counts the others. */
const MAX_LISTED = 20;
/** Longest shown part of a name, in characters: a request may contain a name of megabytes. */
const MAX_SHOWN = 100;

/** Records an unknown name: the path before it, the name, and the names known there. */
export type ReportUnknown = (place: string, name: string, known: Iterable<string>) => void;

/**
 * The unknown names of one request: members, parameters, fields of values, requested aspects.
 * The catalog ignores them and answers the call; it rejects a strict call because of them.
 */
export class UnknownNames {
  private readonly sentences: string[] = [];
  private reported = 0;

  constructor(
    readonly isStrict: boolean,
    /** The beginning of the rejection of a call that is strict by itself; such a rejection lists the names that the call knows. */
    private readonly rejection?: string,
  ) {}

  /** Number of unknown names. */
  get count(): number {
    return this.reported;
  }

  /** One sentence per unknown name, at most 20. **Shape**: `/proposal/aspct is unknown; did you mean aspect?` */
  get texts(): readonly string[] {
    return this.sentences;
  }

  /** `place` is the path before the name: `/proposal/`, or `?` for a query parameter. */
  readonly report: ReportUnknown = (place, name, known) => {
    this.reported++;
    if (this.sentences.length >= MAX_LISTED) return;
    const shown = name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN)}…` : name;
    const names = [...known];
    const near = didYouMean(name, names) || (this.rejection === undefined ? '' : listKnown(names));
    this.sentences.push(`${place}${shown} is unknown${near}`);
  };

  /** Records a known name that means nothing here, as a whole sentence: of an entity that does not exist, or a flag without effect. */
  reportSentence(sentence: string): void {
    this.reported++;
    if (this.sentences.length < MAX_LISTED) this.sentences.push(sentence);
  }

  /** Returns a recorder for one part of the request, which prefixes each path with `part`. */
  within(part: string): ReportUnknown {
    return (place, name, known) => {
      this.report(part + place, name, known);
    };
  }

  /**
   * Rejects a strict call with unknown names. Call it before any effect.
   *
   * **Errors**: `UnknownNamesError` when the call is strict and has unknown names.
   */
  settle(): void {
    if (!this.isStrict || this.reported === 0) return;
    const more = this.reported - this.sentences.length;
    const lines = more === 0 ? this.sentences : [...this.sentences, `and ${String(more)} more`];
    throw new UnknownNamesError(
      `${this.rejection ?? 'A strict call may not have unknown names'}: ${lines.join('\n')}`,
    );
  }
}

/** A call has few members, so all of them can be named. */
function listKnown(known: readonly string[]): string {
  return known.length === 0 ? '' : `; known here: ${known.slice(0, MAX_LISTED).join(', ')}`;
}
