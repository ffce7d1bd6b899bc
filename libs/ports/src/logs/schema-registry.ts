/** Stores the schemas that encoded records name by id. */
export interface SchemaRegistry {
  /**
   * Reads the schema of an id, as the JSON text that was registered. The schema of an id never changes.
   *
   * **Errors**: `NotFoundError` when the id is unknown; `UnavailableError`.
   */
  readSchema(id: number): Promise<string>;

  /**
   * Returns the id of a schema under a subject; registers the schema if it is new.
   *
   * **Errors**: `InvalidSettingError` when the registry rejects the schema; `UnavailableError`.
   */
  register(subject: string, schema: string): Promise<number>;
}
