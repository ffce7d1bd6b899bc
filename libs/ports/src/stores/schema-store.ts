/** A schema and what all spellings of it have in common. */
export interface SchemaText {
  readonly text: string;
  /** Hexadecimal digits, the same for every spelling of one schema. */
  readonly fingerprint: string;
}

/** A schema as a version of a subject. */
export interface SubjectVersion {
  readonly subject: string;
  /** Counts 1, 2, 3 ... within the subject. */
  readonly version: number;
  readonly id: number;
  /** As it was registered first. */
  readonly text: string;
}

/**
 * Schemas that are kept for ever, each under one id, and the subjects that they were registered under.
 *
 * **Units**: ids are from 1 to 2^31 - 1.
 *
 * **Errors**: `UnavailableError` when the store does not answer.
 */
export interface SchemaStore {
  /**
   * **Order and repeats**: a schema has one id, whoever registers it, how often, at the same moment or later; and one version in
   * each subject. Another store gives it the same id unless that is taken there.
   */
  register(subject: string, schema: SchemaText): Promise<SubjectVersion>;

  /** The schema's version in the subject. */
  find(subject: string, fingerprint: string): Promise<SubjectVersion | undefined>;

  schema(id: number): Promise<string | undefined>;

  /** In alphabetical order. */
  subjects(): Promise<readonly string[]>;

  /** Every version of a subject, the oldest first; none of an unknown one. */
  versions(subject: string): Promise<readonly SubjectVersion[]>;

  /** Where an id was registered. */
  countUses(id: number): Promise<readonly SubjectVersion[]>;
}
