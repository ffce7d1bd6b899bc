import { isJsonObject, type JsonObject, type JsonValue } from '@stratalog/json';
import { textTable } from './text-table';

const HEADER = ['app', 'roles', 'status', 'lag', 'address', 'host', 'pid', 'seen'];

/**
 * Formats the instances of a distributed catalog as a table, after an empty line; empty where health lists
 * none.
 */
export function instanceTable(health: JsonObject | undefined): string {
  const instances = health?.instances;
  if (!Array.isArray(instances) || instances.length === 0) return '';
  const rows = instances
    .filter(isJsonObject)
    .map((instance) => [
      toText(instance.app),
      Array.isArray(instance.roles) ? instance.roles.map(toText).join(' ') : '',
      toText(instance.status),
      lagText(instance.lag),
      toText(instance.address),
      toText(instance.host),
      toText(instance.pid),
      `${String(Math.round(Number(toText(instance.seenMsAgo)) / 1_000))} s ago`,
    ]);
  return `\n${textTable([HEADER, ...rows])}`;
}

/** `0` for an app of one role, `writer 0, indexer 3` for more; `-` where no role has a lag. */
function lagText(lag: JsonValue | undefined): string {
  const lags = isJsonObject(lag) ? Object.entries(lag) : [];
  if (lags.length === 0) return '-';
  const isOne = lags.length === 1;
  return lags.map(([role, count]) => (isOne ? toText(count) : `${role} ${toText(count)}`)).join(', ');
}

function toText(value: JsonValue | undefined): string {
  return value === undefined || typeof value === 'object' ? '' : String(value);
}
