import type { ReactNode } from 'react';
import { Editable } from '../edit/editable';
import { useEntityView } from '../entity-context';
import css from './overview-tab.module.css';

interface RowProps {
  readonly label: string;
  /** Entities of a type without it have no such row. */
  readonly aspectName: string;
  readonly isEmpty: boolean;
  readonly none?: string;
  /** What the button says. */
  readonly edit: string;
  readonly editor: (close: () => void) => ReactNode;
  readonly children: ReactNode;
}

/** What people say about an entity in one respect, with its editor. */
export function Row({ label, aspectName, isEmpty, none = 'None yet', edit, editor, children }: RowProps) {
  const { model } = useEntityView();
  if (!model.aspects.some(({ name }) => name === aspectName)) return null;
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <Editable label={edit} aspectName={aspectName} editor={editor}>
          {isEmpty ? <span className={css.role}>{none}</span> : children}
        </Editable>
      </dd>
    </div>
  );
}
