import { valueAt, type JsonValue } from '@stratalog/json';
import type { CallScope } from '../call-scope';
import type { SentSearch } from '../filters/sent-search';
import { propose, requireExisting, type Change } from './propose';

/** Assigns a form to entities that do not have it yet. **Errors**: those of the proposals; also for what does not exist. */
export async function assignForm(
  scope: CallScope,
  { formUrn, entityUrns }: { readonly formUrn: string; readonly entityUrns: readonly string[] },
): Promise<true> {
  await requireExisting(scope, [formUrn], 'form');
  await requireExisting(scope, entityUrns);
  const { loader, deps, actor } = scope;
  const prompts = listOf(valueAt(await loader.aspect(formUrn, 'formInfo'), ['prompts']));
  const lastModified = { time: deps.clock.now(), actor };
  const incompletePrompts = prompts.map((each) => ({ id: valueAt(each, ['id']), lastModified }));
  const value = { urn: formUrn, incompletePrompts, completedPrompts: [] };
  const forms = await Promise.all(entityUrns.map((urn) => loader.aspect(urn, 'forms')));
  const changes = entityUrns.flatMap((urn, at): readonly Change[] => {
    const stored = forms[at];
    const place = { urn, aspectName: 'forms' };
    if (stored === undefined) {
      const created = { incompleteForms: [value], completedForms: [], verifications: [] };
      return [{ ...place, changeType: 'CREATE', value: created }];
    }
    const assigned = ['incompleteForms', 'completedForms'].flatMap((list) => listOf(valueAt(stored, [list])));
    if (assigned.some((each) => valueAt(each, ['urn']) === formUrn)) return [];
    const operations = [{ op: 'add', steps: ['incompleteForms', formUrn], value }] as const;
    return [{ ...place, operations, keys: { incompleteForms: ['urn'] } }];
  });
  return changes.length === 0 ? true : propose(scope, changes);
}

/** Assigns a form to all entities that match a filter. **Errors**: those of the proposal; also for a form that does not exist. */
export async function assignFormByFilter(
  scope: CallScope,
  { formUrn, orFilters }: { readonly formUrn: string } & Required<Pick<SentSearch, 'orFilters'>>,
): Promise<true> {
  await requireExisting(scope, [formUrn], 'form');
  const lists = (orFilters ?? []).map(({ and }) => ({
    and: (and ?? []).map(({ field, values, condition, negated }) => ({
      field,
      values: [...(values ?? [])],
      condition: condition ?? 'EQUAL',
      negated: negated ?? false,
    })),
  }));
  return propose(scope, [
    { urn: formUrn, aspectName: 'dynamicFormAssignment', value: { filter: { or: lists } } },
  ]);
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}
