/** A schema, with the fingerprint that all its spellings share. */
export interface SchemaText {
  readonly text: string;
  /** Hexadecimal digits, the same for every spelling of one schema. */
  readonly fingerprint: string;
}

/** A schema as a version of a subject. */
export interface SubjectVersion {
  readonly subject: string;
  /** Counts from 1 within the subject. */
  readonly version: number;
  readonly id: number;
  /** The text of the first registration. */
  readonly text: string;
}

/**
 * Stores schemas permanently, each under one id, and the subjects under which they were registered.
 *
 * **Units**: ids are from 1 to 2^31 - 1.
 *
 * **Errors**: `UnavailableError` when the store does not answer.
 */
export interface SchemaStore {
  /**
   * Registers a schema under a subject and returns its version there.
   *
   * **Order and repeats**: a schema has one id and one version per subject, however many clients register it,
   * concurrently or later. Another store assigns the same id unless that id is taken there.
   */
  register(subject: string, schema: SchemaText): Promise<SubjectVersion>;

  /** Finds the version of the subject that has this fingerprint. */
  find(subject: string, fingerprint: string): Promise<SubjectVersion | undefined>;

  schema(id: number): Promise<string | undefined>;

  /** In alphabetical order. */
  subjects(): Promise<readonly string[]>;

  /** Lists every version of a subject, oldest first; none for an unknown subject. */
  versions(subject: string): Promise<readonly SubjectVersion[]>;

  /** Lists the subjects and versions that use an id. */
  countUses(id: number): Promise<readonly SubjectVersion[]>;
}
