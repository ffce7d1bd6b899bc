import { useLocation } from '@tanstack/react-router';
import { prefer, preferences } from '../../data/preferences';
import { useStore } from '../../data/store';

/** Whether the navigation shows icons alone, and the deed that changes it. Pages of lineage need the width, and have a choice of their own. */
export function useCollapse(): { readonly isCollapsed: boolean; readonly toggle: () => void } {
  const { isCollapsed, isCollapsedOnWidePages } = useStore(preferences);
  const isWide = useLocation({ select: ({ pathname }) => pathname.startsWith('/lineage/') });
  return isWide
    ? {
        isCollapsed: isCollapsedOnWidePages,
        toggle: () => prefer({ isCollapsedOnWidePages: !isCollapsedOnWidePages }),
      }
    : { isCollapsed, toggle: () => prefer({ isCollapsed: !isCollapsed }) };
}
