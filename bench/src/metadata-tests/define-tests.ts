import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@stratalog/harness';
import { callAction, type Called } from '../timeseries/call-action';

const SHIPPED = join(ROOT, 'models/tests');
const TYPES = ['dataset'];

/** A rule about what the generated datasets have, so that some pass and some fail. */
function rule(property: string, operator: string, value?: string): object {
  return { property, operator, ...(value === undefined ? {} : { value }) };
}

/** Written by the measurement of single changes, which turns its outcome. */
export const FOLLOWED_TEST = 'urn:li:test:bench-reviewed';
export const REVIEWED = 'Reviewed';

const OWN: Readonly<Record<string, object>> = {
  'bench-reviewed': rule('datasetProperties.description', 'starts_with', REVIEWED),
  'bench-owned': rule('ownership.owners.owner', 'exists'),
  'bench-tagged': rule('globalTags.tags.tag', 'exists'),
  'bench-few-tags': { ...rule('globalTags.tags', 'count'), at_most: 3 },
  'bench-described': rule('datasetProperties.description', 'matches', '(?s).{40,}'),
  'bench-named': rule('datasetProperties.name', 'matches', '[a-z]+\\.[a-z0-9_]+'),
  'bench-no-hive': { not: rule('urn', 'contains_str', 'dataPlatform:hive') },
  'bench-live': { not: rule('status.removed', 'is_true') },
};

/** Saves twenty tests: the shipped ones without actions, and some about the generated datasets. Returns their number. */
export async function defineTests(catalog: Called): Promise<number> {
  const shipped = readdirSync(SHIPPED)
    .filter((file) => file.endsWith('.json'))
    .map((file) => ({
      name: file.replace('.json', ''),
      test: JSON.parse(readFileSync(join(SHIPPED, file), 'utf8')) as { readonly definition: object },
    }))
    .filter(({ test }) => !('actions' in test.definition));
  for (const { name, test } of shipped) await saveTest(catalog, name, test);
  for (const [name, rules] of Object.entries(OWN)) {
    const definition = { on: { types: TYPES }, rules: [rules] };
    await saveTest(catalog, name, { name, category: 'bench', definition });
  }
  return shipped.length + Object.keys(OWN).length;
}

function saveTest(
  catalog: Called,
  name: string,
  {
    definition,
    ...info
  }: { readonly definition: object; readonly name?: string; readonly category?: string },
): Promise<unknown> {
  const value = { ...info, definition: { type: 'JSON', json: JSON.stringify(definition) } };
  return writeAspect(catalog, `urn:li:test:${name}`, 'testInfo', value);
}

/** Writes one aspect, and resolves when it is committed. */
export function writeAspect(
  catalog: Called,
  urn: string,
  aspectName: string,
  value: object,
): Promise<unknown> {
  return callAction(catalog, '/aspects?action=ingestProposal', {
    proposal: {
      entityType: urn.split(':')[2] ?? '',
      entityUrn: urn,
      changeType: 'UPSERT',
      aspectName,
      aspect: { value: JSON.stringify(value), contentType: 'application/json' },
    },
  });
}
