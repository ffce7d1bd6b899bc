import { createRootRoute } from '@tanstack/react-router';
import { NotFoundPage } from '../pages/not-found/not-found-page';
import { Frame } from './frame/frame';
import { one, present } from './search-parameters';

interface RootSearch {
  /** The time that pages of entities show; absent: now. */
  readonly at?: string;
}

export const rootRoute = createRootRoute({
  validateSearch: (search: Record<string, unknown>): RootSearch => present({ at: one(search.at) }),
  component: Frame,
  notFoundComponent: NotFoundPage,
});
