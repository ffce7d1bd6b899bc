import { useQuery } from '@tanstack/react-query';
import { describingValues } from '../../data/entity-card';
import { callOptions, queryClient } from '../../data/use-call';
import { isUrn } from '../../data/urns';

const MOST_LEVELS = 20;

/** The entities above one, the nearest first, by the field that names the one above. */
export function useAncestors(urn: string | undefined, parentField: string): readonly string[] {
  const { data } = useQuery({
    queryKey: ['ancestors', parentField, urn],
    enabled: urn !== undefined,
    queryFn: () => readAncestors(urn ?? '', parentField),
  });
  return data ?? [];
}

async function readAncestors(urn: string, parentField: string): Promise<readonly string[]> {
  const found: string[] = [];
  let at: string = urn;
  while (found.length < MOST_LEVELS) {
    const entity = await queryClient.query(callOptions('GET /entitiesV2/:urn', { urn: at }));
    const parent = describingValues(entity)
      .map((value) => value[parentField])
      .find(isUrn);
    if (parent === undefined || found.includes(parent)) break;
    found.push(parent);
    at = parent;
  }
  return found;
}
