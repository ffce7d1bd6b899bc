import type { JsonObject, JsonOutputObject } from '@stratalog/json';
import type { ChangeEvent } from './change-event';

/** The members in which aspects describe their entity. */
const TEXTS = ['description', 'definition'] as const;

/** Compares the descriptions of an entity or a column. */
export function* compareTexts(
  { urn, parameters = {} }: { readonly urn: string; readonly parameters?: JsonOutputObject },
  before: JsonObject | undefined,
  after: JsonObject | undefined,
): Generator<ChangeEvent> {
  for (const member of TEXTS) {
    const [old, now] = [readText(before?.[member]), readText(after?.[member])];
    if (old === now) continue;
    const operation = old === '' ? 'ADD' : now === '' ? 'REMOVE' : 'MODIFY';
    const verb = { ADD: 'was added', REMOVE: 'was removed', MODIFY: 'changed' }[operation];
    yield {
      category: 'DOCUMENTATION',
      operation,
      entityUrn: urn,
      grade: 'PATCH',
      description: `The description of '${urn}' ${verb}.`,
      parameters: { ...parameters, description: operation === 'REMOVE' ? old : now },
    };
  }
}

function readText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
