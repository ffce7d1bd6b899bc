/** The model by which the stored values were last accepted. */
export interface StoredModel {
  /** `undefined` in a store that no model was noted in yet. */
  read(): Promise<{ readonly fingerprint: string; readonly shape: string } | undefined>;
  write(model: { readonly fingerprint: string; readonly shape: string }): Promise<void>;
}
