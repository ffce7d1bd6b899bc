import { computeFingerprint } from '@stratalog/avro';
import { NotFoundError } from '@stratalog/domain';
import type { SchemaRegistry, SchemaStore } from '@stratalog/ports';

/** Serves the schemas that the catalog stores itself. */
export class OwnSchemaRegistry implements SchemaRegistry {
  constructor(private readonly store: SchemaStore) {}

  async readSchema(id: number): Promise<string> {
    const text = await this.store.schema(id);
    if (text === undefined) throw new NotFoundError('the catalog has no such schema');
    return text;
  }

  async register(subject: string, schema: string): Promise<number> {
    const { id } = await this.store.register(subject, {
      text: schema,
      fingerprint: computeFingerprint(schema),
    });
    return id;
  }
}
