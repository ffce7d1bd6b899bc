import { CallRejectedError, NoAnswerError } from '@stratalog/client';
import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { Button } from '../button/button';
import { Icon, type IconName } from '../icon/icon';
import css from './states.module.css';

interface BannerProps {
  readonly kind: 'info' | 'good' | 'warning' | 'bad';
  readonly children: ReactNode;
}

const BANNER_ICONS: Readonly<Record<BannerProps['kind'], IconName>> = {
  info: 'info',
  good: 'circleCheck',
  warning: 'triangleAlert',
  bad: 'circleX',
};

export function Banner({ kind, children }: BannerProps) {
  return (
    <div className={`${css.banner ?? ''} ${css[kind] ?? ''}`}>
      <Icon name={BANNER_ICONS[kind]} />
      <div className={css.grow}>{children}</div>
    </div>
  );
}

interface EmptyStateProps {
  /** What would be here. */
  readonly title: string;
  /** The next step. */
  readonly children?: ReactNode;
}

export function EmptyState({ title, children }: EmptyStateProps) {
  return (
    <div className={css.empty}>
      <p className={css.title}>{title}</p>
      {children}
    </div>
  );
}

const SHOW_AFTER_MS = 150;

/** Grey lines of the final size; an answer that comes at once shows none. */
export function Skeleton({ lines = 3 }: { readonly lines?: number }) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SHOW_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className={isShown ? css.skeleton : css.hidden} role="status">
      <span className="visually-hidden">Loading</span>
      {Array.from({ length: lines }, (_, at) => (
        <span key={at} className={css.line} />
      ))}
    </div>
  );
}

interface ErrorStateProps {
  readonly error: unknown;
  /** What could not be shown, in words: "The columns". */
  readonly what: string;
  readonly retry?: () => void;
}

const REFERENCE = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/i;
/** The end of a message: the page has the reference in a line of its own. */
const IN_MESSAGE = / \(reference [0-9a-f-]{36}\)$/i;

/** Says what failed, by the status of the answer, and what to do. */
export function ErrorState({ error, what, retry }: ErrorStateProps) {
  const { title, text, next, icon } = explain(error, what);
  const reference =
    error instanceof CallRejectedError && error.status === 500 ? REFERENCE.exec(error.text)?.[0] : undefined;
  return (
    <div className={css.error} role="alert">
      <p className={css.title}>
        <Icon name={icon} /> {title}
      </p>
      <p className={css.text}>{reference === undefined ? text : text.replace(IN_MESSAGE, '')}</p>
      {next !== undefined && <p>{next}</p>}
      {reference !== undefined && (
        <p className={css.text}>
          Reference <code>{reference}</code>{' '}
          <Button size="small" icon="copy" onClick={() => void navigator.clipboard.writeText(reference)}>
            Copy
          </Button>
        </p>
      )}
      {retry !== undefined && <TryAgain error={error} retry={retry} />}
    </div>
  );
}

interface Explanation {
  readonly title: string;
  readonly text: string;
  /** What to do, where to try again does not help. */
  readonly next?: string;
  readonly icon: IconName;
}

function explain(error: unknown, what: string): Explanation {
  if (error instanceof NoAnswerError)
    return {
      title: `${what} could not be read`,
      text: 'The catalog does not answer.',
      icon: 'triangleAlert',
    };
  if (!(error instanceof CallRejectedError))
    return {
      title: `${what} could not be shown`,
      text: error instanceof Error ? error.message : String(error),
      icon: 'triangleAlert',
    };
  switch (error.status) {
    case 403:
      return {
        title: `You may not see this`,
        text: error.message,
        next: 'Ask whoever runs the catalog for a token or a policy that permits it.',
        icon: 'lock',
      };
    case 404:
      return { title: `${what} could not be found`, text: error.message, icon: 'search' };
    case 429:
      return { title: 'Too many calls', text: error.message, icon: 'clock' };
    case 503:
      return { title: `${what} cannot be read yet`, text: error.message, icon: 'clock' };
    default:
      return { title: `${what} could not be read`, text: error.message, icon: 'triangleAlert' };
  }
}

/** Counts down where the catalog says when to call again. */
function TryAgain({ error, retry }: { readonly error: unknown; readonly retry: () => void }) {
  const asked =
    error instanceof CallRejectedError && error.status === 429 ? Number(error.headers.get('retry-after')) : 0;
  const [seconds, setSeconds] = useState(asked > 0 ? asked : 0);
  useEffect(() => {
    if (seconds <= 0) return undefined;
    const timer = setTimeout(() => setSeconds(seconds - 1), 1_000);
    return () => clearTimeout(timer);
  }, [seconds]);
  return (
    <Button onClick={retry} disabled={seconds > 0}>
      {seconds > 0 ? `Try again in ${String(seconds)} s` : 'Try again'}
    </Button>
  );
}

/** True when a call about the past was rejected because nothing is known about that time. */
export function isBeforeHistory(error: unknown, atMs: number | undefined): boolean {
  return atMs !== undefined && error instanceof CallRejectedError && error.status === 400;
}

interface LoadedProps<Data> {
  readonly query: Pick<UseQueryResult<Data>, 'data' | 'error'> & { readonly refetch: () => unknown };
  readonly what: string;
  readonly skeleton?: ReactNode;
  readonly children: (data: Data) => ReactNode;
}

/** The answer of a call once it is there, else its skeleton or its error. An answer from before stays. */
export function Loaded<Data>({ query, what, skeleton, children }: LoadedProps<Data>) {
  const { data, error, refetch } = query;
  if (data !== undefined) return <>{children(data)}</>;
  if (error !== null) return <ErrorState error={error} what={what} retry={() => void refetch()} />;
  return <>{skeleton ?? <Skeleton />}</>;
}
