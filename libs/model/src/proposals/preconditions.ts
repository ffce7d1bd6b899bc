/** What must hold of an aspect, when its proposal is applied, for the proposal to count. */
export interface Preconditions {
  /** The number of its latest version; -1: there is none. */
  readonly version?: number;
  /** Epoch ms: it was last modified after that. */
  readonly modifiedSinceMs?: number;
  /** Epoch ms: it was not modified after that. */
  readonly unmodifiedSinceMs?: number;
  /** What is created and there already is passed over instead of rejected. */
  readonly passesOverExisting?: boolean;
}

/** Headers of a proposal, by the names that are understood. */
export type ProposalHeaders = Readonly<Record<string, string>>;

export type PreconditionsResult =
  | { readonly preconditions: Preconditions }
  /** The header that says something else than it may. */
  | { readonly header: string; readonly fault: string };

interface HeaderMeaning {
  /** `undefined` for a text that the header must not have. */
  readonly read: (text: string) => Preconditions | undefined;
  /** What the text must be, for whoever has sent another. */
  readonly wanted: string;
}

const A_TIME = 'a time like 2026-11-21T08:30:00Z';
const MEANINGS: ReadonlyMap<string, HeaderMeaning> = new Map([
  [
    'If-Version-Match',
    {
      read: (text) => (/^(-1|[1-9]\d{0,14})$/.test(text) ? { version: Number(text) } : undefined),
      wanted: 'a version: 1, 2, 3 and so on, or -1 for an aspect that must not be there',
    },
  ],
  [
    'If-Modified-Since',
    { read: (text) => timeOf(text, (modifiedSinceMs) => ({ modifiedSinceMs })), wanted: A_TIME },
  ],
  [
    'If-Unmodified-Since',
    { read: (text) => timeOf(text, (unmodifiedSinceMs) => ({ unmodifiedSinceMs })), wanted: A_TIME },
  ],
  [
    'If-None-Match',
    { read: (text) => (text === '*' ? { passesOverExisting: true } : undefined), wanted: '*' },
  ],
]);

/** The names that are understood. */
export const PRECONDITION_HEADERS: readonly string[] = [...MEANINGS.keys()];
const CANONICAL_NAMES = new Map([...MEANINGS.keys()].map((name) => [name.toLowerCase(), name]));

/** The name of a header that means something, however its letters are written; `undefined` for any other. */
export function preconditionHeaderOf(name: string): string | undefined {
  return CANONICAL_NAMES.get(name.toLowerCase());
}

/**
 * Reads the headers of a proposal that set conditions.
 *
 * **Source**: entity and aspect behaviour, section 9.1.
 */
export function parsePreconditions(headers: ProposalHeaders): PreconditionsResult {
  let preconditions: Preconditions = {};
  for (const [header, text] of Object.entries(headers)) {
    const meaning = MEANINGS.get(header);
    const read = meaning?.read(text.trim());
    if (read === undefined) {
      return { header, fault: `"${text.slice(0, 100)}" is not ${meaning?.wanted ?? 'understood'}` };
    }
    preconditions = { ...preconditions, ...read };
  }
  return { preconditions };
}

const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/** A time with its zone, because one without means another moment on another machine. */
function timeOf(text: string, meant: (timeMs: number) => Preconditions): Preconditions | undefined {
  const timeMs = ISO_TIME.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(timeMs) ? undefined : meant(timeMs);
}
