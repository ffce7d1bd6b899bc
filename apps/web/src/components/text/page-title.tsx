import { useEffect, useRef, type ReactNode } from 'react';
import { navigation } from '../../data/navigation-state';

interface PageTitleProps {
  /** The title of the window. */
  readonly title: string;
  readonly children?: ReactNode;
  readonly isHidden?: boolean;
}

/** The heading of a page: it gets the focus when a person has navigated to the page. */
export function PageTitle({ title, children = title, isHidden = false }: PageTitleProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title.slice(0, 100)} · Stratalog`;
  }, [title]);
  useEffect(() => {
    if (navigation.hasMoved) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1} className={isHidden ? 'visually-hidden' : undefined}>
      {children}
    </h1>
  );
}
