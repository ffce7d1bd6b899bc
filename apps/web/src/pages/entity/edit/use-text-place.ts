import { useQueries } from '@tanstack/react-query';
import { TEXT_FIELDS, aspect, isDescribing, isEditable } from '../../../data/entity-card';
import { callOptions } from '../../../data/use-call';
import type { EntityView } from '../use-entity';

/** Where a description is written. */
export interface TextPlace {
  readonly aspectName: string;
  readonly field: string;
  /** The path of the column that is described; absent: the entity itself is. */
  readonly column?: string;
  /** The field cannot be left out. */
  readonly isRequired: boolean;
  /** The aspect says when and by whom it was last modified. */
  readonly hasStamp: boolean;
}

/** The place that the model has for a description by people; else the aspect that has one now. `undefined`: none, or not known yet. */
export function useTextPlace({ entity, model }: EntityView): TextPlace | undefined {
  const describing = model.aspects
    .filter(({ name, kind }) => kind === 'versioned' && name !== model.keyAspect && isDescribing(name))
    .map(({ name }) => name);
  const editable = describing.filter(isEditable);
  const names =
    editable.length > 0 ? editable : describing.filter((name) => aspect(entity, name) !== undefined);
  return useQueries({
    queries: names.map((name) => ({
      ...callOptions('GET /models/aspects/:name', { name }),
      staleTime: Infinity,
    })),
    combine: (results) => {
      const found = results.map(({ data }, at) => {
        const fields = data !== undefined && 'fields' in data ? data.fields : [];
        const field = fields.find(({ name }) => TEXT_FIELDS.includes(name));
        if (field === undefined) return undefined;
        const aspectName = names[at] ?? '';
        const hasStamp = isEditable(aspectName) && fields.some(({ name }) => name === 'lastModified');
        return { aspectName, field: field.name, isRequired: field.isRequired, hasStamp };
      });
      return results.some(({ isPending }) => isPending)
        ? undefined
        : found.find((each) => each !== undefined);
    },
  });
}
