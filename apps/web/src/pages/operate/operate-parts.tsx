import type { ReactNode } from 'react';
import { PageTitle } from '../../components/text/page-title';
import css from './operate.module.css';

interface OperatePageProps {
  readonly title: string;
  /** Beside the title. */
  readonly about?: ReactNode;
  /** At the right of the title. */
  readonly deeds?: ReactNode;
  readonly panel?: ReactNode;
  readonly children: ReactNode;
}

/** A page of operators: heading, content, and at times a panel beside it. */
export function OperatePage({ title, about, deeds, panel, children }: OperatePageProps) {
  return (
    <div className={css.split}>
      <div className={css.page}>
        <header className={css.head}>
          <PageTitle title={title} />
          {about}
          <div className={css.deeds}>{deeds}</div>
        </header>
        {children}
      </div>
      {panel}
    </div>
  );
}

interface LiveProps {
  /** False: what is shown does not follow what happens. */
  readonly isLive: boolean;
  readonly children: ReactNode;
}

/** Whether a page follows what happens: in words, and by the colour of a dot. */
export function Live({ isLive, children }: LiveProps) {
  return (
    <span className={css.live}>
      <span className={`${css.light ?? ''} ${isLive ? '' : (css.held ?? '')}`} aria-hidden="true" />
      <span>{children}</span>
    </span>
  );
}

interface CardProps {
  readonly title: string;
  readonly note?: ReactNode;
  readonly link?: ReactNode;
  readonly children: ReactNode;
}

export function Card({ title, note, link, children }: CardProps) {
  return (
    <section className={css.card}>
      <header className={css.cardHead}>
        <h2>{title}</h2>
        {note !== undefined && <span className={css.note}>{note}</span>}
        {link !== undefined && <span className={css.cardLink}>{link}</span>}
      </header>
      {children}
    </section>
  );
}

interface FieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly children: ReactNode;
}

/** A field of a form with its label above it. */
export function Field({ label, hint, children }: FieldProps) {
  return (
    <label className={css.field}>
      <span>{label}</span>
      {children}
      {hint !== undefined && <small className={css.note}>{hint}</small>}
    </label>
  );
}

/** Facts as pairs. */
export function Facts({ of }: { readonly of: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={css.facts}>
      {of.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
