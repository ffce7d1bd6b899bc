import { InvalidSettingError, NotFoundError, UnavailableError } from '@stratalog/domain';
import type { SchemaRegistry } from '@stratalog/ports';

export interface HttpSchemaRegistryOptions {
  /** With or without a trailing slash; user and password in it become basic authentication. */
  readonly url: string;
}

const TIMEOUT_MS = 10_000;
const CONTENT_TYPE = 'application/vnd.schemaregistry.v1+json';

/** The registry requires another user or password. */
class CredentialsRejected extends Error {
  constructor(status: number) {
    super(`it rejects the user and password of its address (status ${String(status)})`);
  }
}

function toSettingError(error: unknown): never {
  const { cause } = error as { readonly cause?: unknown };
  if (cause instanceof CredentialsRejected) throw new InvalidSettingError(cause.message);
  if (cause instanceof SyntaxError) throw new InvalidSettingError('What answers there is no schema registry');
  throw error;
}

/** A registry with Confluent's HTTP interface. */
export class HttpSchemaRegistry implements SchemaRegistry {
  private readonly base: URL;
  private readonly authorization: string | undefined;

  constructor({ url }: HttpSchemaRegistryOptions) {
    this.base = new URL(url.endsWith('/') ? url : `${url}/`);
    const { username, password } = this.base;
    if (username !== '') {
      const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
      this.authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
    }
    this.base.username = '';
    this.base.password = '';
  }

  /**
   * Sends a query, so that a wrong setting is reported at the start.
   *
   * **Errors**: `InvalidSettingError` when the address is not a schema registry, or it rejects the credentials;
   * `UnavailableError`.
   */
  async check(): Promise<void> {
    const { status, body } = await this.request('GET', 'subjects').catch(toSettingError);
    if (status === 200 && Array.isArray(body)) return;
    throw new InvalidSettingError('What answers there is no schema registry');
  }

  async readSchema(id: number): Promise<string> {
    const { status, body } = await this.request('GET', `schemas/ids/${String(id)}`);
    if (status === 404) throw new NotFoundError(`The schema registry has no schema ${String(id)}`);
    // A gateway in front of it may reject a call for reasons that are not the record's.
    if (status !== 200)
      throw new UnavailableError(`The schema registry answered ${String(status)} for schema ${String(id)}`);
    const { schema, schemaType } = body as { schema?: unknown; schemaType?: unknown };
    if (typeof schema !== 'string' || (schemaType !== undefined && schemaType !== 'AVRO')) {
      throw new NotFoundError(`Schema ${String(id)} of the schema registry is not Avro`);
    }
    return schema;
  }

  async register(subject: string, schema: string): Promise<number> {
    const path = `subjects/${encodeURIComponent(subject)}/versions`;
    const { status, body } = await this.request('POST', path, { schema });
    const { id, message } = body as { id?: unknown; message?: unknown };
    if (typeof id === 'number') return id;
    throw new InvalidSettingError(
      `The schema registry rejects the schema of ${subject} with ${String(status)}: ${String(message)}`,
    );
  }

  private async request(
    method: string,
    path: string,
    sent?: object,
  ): Promise<{ readonly status: number; readonly body: object }> {
    try {
      const response = await fetch(new URL(path, this.base), {
        method,
        headers: {
          accept: CONTENT_TYPE,
          ...(sent === undefined ? {} : { 'content-type': CONTENT_TYPE }),
          ...(this.authorization === undefined ? {} : { authorization: this.authorization }),
        },
        ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const { status } = response;
      // The password may be corrected. Until then this must not count as an unknown schema.
      if (status === 401 || status === 403) throw new CredentialsRejected(status);
      if (status === 429 || status >= 500) throw new Error(`status ${String(status)}`);
      const body: unknown = await response.json();
      return { status, body: typeof body === 'object' && body !== null ? body : {} };
    } catch (cause) {
      const text = cause instanceof Error ? cause.message : String(cause);
      throw new UnavailableError(`The schema registry did not answer: ${text}`, { cause });
    }
  }
}
