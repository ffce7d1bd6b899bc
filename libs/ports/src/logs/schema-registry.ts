/** Where producers and consumers of encoded records leave the schemas that their records name by number. */
export interface SchemaRegistry {
  /**
   * The schema of an id, as the JSON text that was registered. An id means the same for ever.
   *
   * **Errors**: `NotFoundError` when there is none; `UnavailableError`.
   */
  toSchema(id: number): Promise<string>;

  /**
   * The id of a schema under a subject, registered if it is new.
   *
   * **Errors**: `InvalidSettingError` when the registry rejects it; `UnavailableError`.
   */
  idOf(subject: string, schema: string): Promise<number>;
}
