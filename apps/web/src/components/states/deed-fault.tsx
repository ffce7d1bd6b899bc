import { CallRejectedError } from '@stratalog/client';
import { Banner } from './states';

/** True when the catalog said that the caller has no right to it: to try again would not help. */
export function isForbidden(error: unknown): boolean {
  return error instanceof CallRejectedError && error.status === 403;
}

/** Why a deed was not done; nothing without an error. */
export function DeedFault({ error }: { readonly error: Error | null | undefined }) {
  if (error === null || error === undefined) return null;
  return (
    <div role="alert">
      <Banner kind="bad">
        {error.message}
        {isForbidden(error) && <p>Ask whoever runs the catalog for a token that has this scope.</p>}
      </Banner>
    </div>
  );
}
