import type { JsonObject, JsonValue } from '@stratalog/json';
import type { ActionAspect, ActionAuthor, ActionElement, AspectState } from './action';
import { PROPERTIES, TAGS, TERMS, addElement, addProperty, type AttributedList } from './attributed-elements';
import { deprecate } from './deprecation-elements';
import { ASSOCIATIONS, addDomain } from './domain-elements';
import { isMarked, listElements } from './element-values';
import { OWNERS, addOwner } from './owner-elements';

/**
 * Lists what a test added to an aspect by actions that take back, as the elements of such an action. The aspect says it, so it is known
 * without the definition, which may have changed or be gone.
 */
export function listMarked(
  aspectName: ActionAspect,
  state: AspectState,
  author: ActionAuthor,
): readonly ActionElement[] {
  const marked = (list: string): readonly JsonObject[] =>
    listElements(state, list).filter((element) => isMarked(element, author));
  const listed = ({ list, key }: AttributedList): readonly ActionElement[] =>
    marked(list).map((element) => addElement({ list, key }, toText(element[key])));
  switch (aspectName) {
    case 'globalTags':
      return listed(TAGS);
    case 'glossaryTerms':
      return listed(TERMS);
    case 'ownership':
      return marked(OWNERS).map(({ owner, type, typeUrn }) =>
        addOwner(toText(owner), { type: toText(type), ...(typeof typeUrn === 'string' ? { typeUrn } : {}) }),
      );
    case 'domains':
      return marked(ASSOCIATIONS).map(({ domain }) => addDomain(toText(domain)));
    case 'structuredProperties':
      return marked(PROPERTIES.list).map(({ propertyUrn, values }) =>
        addProperty(toText(propertyUrn), Array.isArray(values) ? values : []),
      );
    case 'deprecation': {
      if (state.isTakenBack !== true || state.value === undefined) return [];
      const members = Object.entries(state.value).filter(
        ([name]) => name !== 'deprecated' && name !== 'actor',
      );
      return [deprecate({ note: '', ...Object.fromEntries(members) })];
    }
  }
}

function toText(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
