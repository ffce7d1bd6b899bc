import assert from 'node:assert/strict';
import { parseJson, type JsonObject, type JsonValue } from '@stratalog/json';
import { succeeded, type ClientSession } from './client-session';

/** Calls that end in an error by either way: on purpose, or because they are texts of GraphQL and calls that `docs/clients.md` lists. */
const FAILING: ReadonlySet<string> = new Set([
  'emit of an unknown aspect',
  'emit of no urn',
  'emit with a condition that fails',
  'entities.create of what exists',
  'create_native_user',
  'get_connection_json',
  'get_entities_v2',
  'link_asset_to_version_set',
  'link_asset_to_versioned_asset',
  'set_connection_json',
  'unlink_latest_asset_from_version_set',
]);
/** What the client itself leaves out of one of the ways: the change type by OpenAPI, traces by Rest.li. */
const DIFFERENT: ReadonlySet<string> = new Set([
  'emit of CREATE of what exists',
  'emit of CREATE_ENTITY of what exists',
  'get_trace_status',
]);

/**
 * Calls every method of the SDK on a catalog to which it writes by OpenAPI, and on one to which it writes by Rest.li, both empty, and compares
 * what the calls gave and what is stored then.
 *
 * **Errors**: rejects with the differences.
 */
export async function compareModes(openApi: ClientSession, restLi: ClientSession): Promise<void> {
  const [one, other] = [await callAll(openApi), await callAll(restLi)];
  assert.deepEqual([one.writes, other.writes], ['openapi', 'restli']);
  assert.deepEqual(differing(one.calls, other.calls), [...DIFFERENT].toSorted());
  assert.deepEqual(one.stored, other.stored);
  assert.deepEqual(
    (one.failed as readonly string[]).filter((name) => !FAILING.has(name)),
    [],
  );
}

async function callAll(client: ClientSession): Promise<JsonObject> {
  const { stdout } = succeeded(await client.script('every_method'));
  return parseJson(stdout.trim().split('\n').at(-1) ?? '') as JsonObject;
}

function differing(one: JsonValue | undefined, other: JsonValue | undefined): readonly string[] {
  const [these, those] = [one as JsonObject, other as JsonObject];
  const names = [...new Set([...Object.keys(these), ...Object.keys(those)])];
  return names.filter((name) => JSON.stringify(these[name]) !== JSON.stringify(those[name])).toSorted();
}
