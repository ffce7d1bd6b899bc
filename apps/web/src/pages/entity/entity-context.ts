import { createContext, useContext } from 'react';
import type { EntityView } from './use-entity';

export const EntityContext = createContext<EntityView | undefined>(undefined);

/** The entity of the page, for its tabs. */
export function useEntityView(): EntityView {
  const view = useContext(EntityContext);
  if (view === undefined) throw new Error('Only a tab of an entity has one');
  return view;
}
