/** The content type that clients of a schema registry expect of an answer. */
export const REGISTRY_CONTENT_TYPE = 'application/vnd.schemaregistry.v1+json';

/** Reasons for which a schema registry rejects a call, as its clients tell them apart. */
export type RegistryRejection =
  | 'unknown-path'
  | 'unknown-subject'
  | 'unknown-version'
  | 'unknown-schema'
  | 'incompatible-schema'
  | 'invalid-schema'
  | 'invalid-version'
  | 'invalid-compatibility'
  | 'not-permitted'
  | 'invalid-subject';

/** Status and `error_code`, as in Confluent's registry. */
const ANSWERS: Readonly<Record<RegistryRejection, readonly [status: number, errorCode: number]>> = {
  'unknown-path': [404, 404],
  'unknown-subject': [404, 40401],
  'unknown-version': [404, 40402],
  'unknown-schema': [404, 40403],
  'incompatible-schema': [409, 409],
  'invalid-schema': [422, 42201],
  'invalid-version': [422, 42202],
  'invalid-compatibility': [422, 42203],
  'not-permitted': [422, 42205],
  'invalid-subject': [422, 42208],
};

/** A rejection of a route that speaks the schema registry's dialect. */
export class RegistryError extends Error {
  readonly status: number;
  readonly errorCode: number;

  constructor(rejection: RegistryRejection, message: string) {
    super(message);
    this.name = 'RegistryError';
    [this.status, this.errorCode] = ANSWERS[rejection];
  }
}

/**
 * Renders the error body of the schema registry's dialect.
 *
 * **Shape**: `{error_code, message}`; other errors use their status as the code.
 */
export function registryErrorBody(errorCode: number, message: string): string {
  return JSON.stringify({ error_code: errorCode, message });
}
