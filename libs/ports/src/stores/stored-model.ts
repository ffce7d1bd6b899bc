/** Stores the model that last accepted the stored values. */
export interface StoredModel {
  /** `undefined` when the store has no model yet. */
  read(): Promise<{ readonly fingerprint: string; readonly shape: string } | undefined>;
  write(model: { readonly fingerprint: string; readonly shape: string }): Promise<void>;
}
