import { useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, type RefObject } from 'react';

/** A bar of links that scrolls sideways on phones, until the link of the page that is shown is in view. */
export function useCurrentInView(): RefObject<HTMLElement | null> {
  const bar = useRef<HTMLElement>(null);
  const pathname = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  useEffect(() => {
    const link = bar.current?.querySelector('[aria-current]')?.getBoundingClientRect();
    if (bar.current === null || link === undefined) return;
    const { left, width } = bar.current.getBoundingClientRect();
    bar.current.scrollLeft += link.left + link.width / 2 - (left + width / 2);
  }, [pathname]);
  return bar;
}
