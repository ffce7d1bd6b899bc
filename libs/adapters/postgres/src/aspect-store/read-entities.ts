import type { EntityPage } from '@stratalog/ports';
import type { PoolClient } from 'pg';
import { MAX_PAGE_BYTES, READ_ENTITIES, toStoredEntity, type EntityRow } from './read-statements';

/** Reads entities with their latest aspects by one statement. Urns that exceed its size are the rest. */
export async function readEntities(
  client: PoolClient,
  urns: readonly string[],
  aspectNames?: readonly string[],
  maxBytes = MAX_PAGE_BYTES,
): Promise<EntityPage> {
  const { rows } = await client.query<EntityRow & { readonly urn: string; readonly left_out: boolean }>({
    ...READ_ENTITIES,
    values: [urns, maxBytes, aspectNames ?? null],
  });
  const byUrn = new Map<string, EntityRow[]>();
  const rest: string[] = [];
  for (const row of rows) {
    const known = byUrn.get(row.urn);
    if (row.left_out) rest.push(row.urn);
    else if (known === undefined) byUrn.set(row.urn, [row]);
    else known.push(row);
  }
  const entities = [...byUrn].flatMap(([urn, own]) =>
    own.slice(0, 1).map((row) => toStoredEntity(urn, row, own)),
  );
  return { entities, rest };
}
