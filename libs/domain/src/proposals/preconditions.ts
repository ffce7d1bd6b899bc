import { REPLAY_HEADER } from './replay';

/**
 * Conditions on an aspect. The writer checks them when it applies the proposal, and rejects the proposal when one
 * does not hold.
 */
export interface Preconditions {
  /** Expected number of the latest version; -1: the aspect must not exist. */
  readonly version?: number;
  /** Epoch ms: the aspect must have been modified after this time. */
  readonly modifiedSinceMs?: number;
  /** Epoch ms: the aspect must not have been modified after this time. */
  readonly unmodifiedSinceMs?: number;
  /** True: a CREATE of an existing aspect is ignored instead of rejected. */
  readonly passesOverExisting?: boolean;
  /**
   * Expected version of the entity's key aspect, 0 for none: the entity must exist, and must not have been hard-deleted
   * since that version. A hard deletion makes every other condition on an absent aspect true.
   */
  readonly keyVersion?: number;
}

/** Headers of a proposal with a known meaning, keyed by their canonical names. */
export type ProposalHeaders = Readonly<Record<string, string>>;

export type PreconditionsResult =
  | { readonly preconditions: Preconditions }
  /** The header with an invalid value. */
  | { readonly header: string; readonly fault: string };

interface HeaderMeaning {
  /** Parses the text of the header; `undefined` for an invalid text. */
  readonly read: (text: string) => Preconditions | undefined;
  /** Describes a valid text, for the error message. */
  readonly wanted: string;
}

/**
 * Carries `keyVersion` in what the catalog itself writes. Proposals of clients cannot have it: the readers of their headers do
 * not know the name.
 */
const KEY_VERSION_HEADER = 'If-Key-Version-Match';

/** Formats the condition that the entity still lives the life whose key aspect has this version. */
export function whileAlive(keyVersion: number): ProposalHeaders {
  return { [KEY_VERSION_HEADER]: String(keyVersion) };
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
    { read: (text) => parseTime(text, (modifiedSinceMs) => ({ modifiedSinceMs })), wanted: A_TIME },
  ],
  [
    'If-Unmodified-Since',
    { read: (text) => parseTime(text, (unmodifiedSinceMs) => ({ unmodifiedSinceMs })), wanted: A_TIME },
  ],
  [
    'If-None-Match',
    { read: (text) => (text === '*' ? { passesOverExisting: true } : undefined), wanted: '*' },
  ],
]);

const OWN_MEANINGS: ReadonlyMap<string, HeaderMeaning> = new Map([
  ...MEANINGS,
  [
    KEY_VERSION_HEADER,
    {
      read: (text) => (/^(0|[1-9]\d{0,14})$/.test(text) ? { keyVersion: Number(text) } : undefined),
      wanted: 'a version of a key aspect',
    },
  ],
  // It names a dead letter, and is no condition on an aspect.
  [REPLAY_HEADER, { read: () => ({}), wanted: 'the id of a dead letter' }],
]);

/** Canonical names of the precondition headers that clients may send. */
export const PRECONDITION_HEADERS: readonly string[] = [...MEANINGS.keys()];
const CANONICAL_NAMES = new Map([...MEANINGS.keys()].map((name) => [name.toLowerCase(), name]));

/** Returns the canonical name of a client's precondition header, ignoring case; `undefined` for any other header. */
export function canonicalPreconditionHeader(name: string): string | undefined {
  return CANONICAL_NAMES.get(name.toLowerCase());
}

/**
 * Parses the precondition headers of a proposal.
 *
 * **Source**: `docs/what/proposal.md`, Conditions.
 */
export function parsePreconditions(headers: ProposalHeaders): PreconditionsResult {
  let preconditions: Preconditions = {};
  for (const [header, text] of Object.entries(headers)) {
    const meaning = OWN_MEANINGS.get(header);
    const read = meaning?.read(text.trim());
    if (read === undefined) {
      return { header, fault: `"${text.slice(0, 100)}" is not ${meaning?.wanted ?? 'understood'}` };
    }
    preconditions = { ...preconditions, ...read };
  }
  return { preconditions };
}

const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/** Parses a time with its zone. A time without a zone would depend on the machine's own. */
function parseTime(text: string, meant: (timeMs: number) => Preconditions): Preconditions | undefined {
  const timeMs = ISO_TIME.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(timeMs) ? undefined : meant(timeMs);
}
