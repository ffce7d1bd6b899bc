import { getRouteApi, useRouter } from '@tanstack/react-router';
import { ApiClient, CallRejectedError } from '@stratalog/client';
import { useState, type SyntheticEvent } from 'react';
import { Button } from '../../components/button/button';
import { Banner } from '../../components/states/states';
import { PageTitle } from '../../components/text/page-title';
import { signIn } from '../../data/catalog';
import { API, PAGES_PATH } from '../../data/place';
import { queryClient, useCall } from '../../data/use-call';
import css from './sign-in-page.module.css';

const route = getRouteApi('/sign-in');

const PROBLEMS: Readonly<Record<string, string>> = {
  denied: 'The identity provider did not sign you in.',
  expired: 'Signing in took too long, or began in another browser. Try again.',
  unavailable: 'The identity provider does not answer. Try again in a moment.',
};

/** Leads to the identity provider, if there is one, or takes a token. It is kept in memory, or in the session of the tab; never in an address or beyond the tab. */
export function SignInPage() {
  const { then, problem } = route.useSearch();
  const { data: config } = useCall('GET /config', undefined, { isLasting: true });
  const next = toOwnPath(then);
  const [secret, setSecret] = useState('');
  const [staysInTab, setStaysInTab] = useState(false);
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const { history } = useRouter();
  const submit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    const found = await checkToken(secret.trim());
    setBusy(false);
    setFault(found);
    if (found !== undefined) return;
    signIn(secret.trim(), { staysInTab });
    queryClient.clear();
    history.push(PAGES_PATH + next);
  };
  return (
    <div className={css.page}>
      <PageTitle title="Sign in" />
      {problem !== undefined && (
        <Banner kind="bad">{PROBLEMS[problem] ?? 'You could not be signed in.'}</Banner>
      )}
      {config?.signIn !== undefined && (
        <a className={css.provider} href={`${API}${config.signIn}?then=${encodeURIComponent(`/ui${next}`)}`}>
          Sign in with your organisation
        </a>
      )}
      <p>With a token, everything that you do here is done in its name.</p>
      {fault !== undefined && (
        <div role="alert">
          <Banner kind="bad">{fault}</Banner>
        </div>
      )}
      <form className={css.form} onSubmit={(event) => void submit(event)}>
        <label className={css.label}>
          Token
          <input
            className={css.input}
            type="password"
            required
            autoComplete="off"
            value={secret}
            onChange={({ target }) => setSecret(target.value)}
          />
        </label>
        <label className={css.choice}>
          <input
            type="checkbox"
            checked={staysInTab}
            onChange={({ target }) => setStaysInTab(target.checked)}
          />
          Stay signed in on this tab
        </label>
        <Button type="submit" kind="primary" size="large" isBusy={isBusy}>
          Sign in
        </Button>
      </form>
      <details>
        <summary>Where do I get one?</summary>
        <p>
          From whoever runs the catalog. On the machine of the catalog, <code>npm run cli -- token</code>{' '}
          prints the token of its operator.
        </p>
      </details>
    </div>
  );
}

/** A path of these pages alone, without their folder: an address elsewhere would lead a person away. */
function toOwnPath(then = '/'): string {
  // The catalog leads back with the whole path.
  const path = then.startsWith('/ui/') ? then.slice('/ui'.length) : then;
  return path.startsWith('/') ? path : '/';
}

/** Asks with the token for something that every caller may read. Returns why the token is no good. */
async function checkToken(secret: string): Promise<string | undefined> {
  if (!/^[\x21-\x7e]+$/.test(secret)) return 'A token has letters, digits and signs of ASCII, and no blanks.';
  try {
    await new ApiClient({ server: API, token: secret }).call('POST /entities?action=searchAcrossEntities', {
      input: '*',
      start: 0,
      count: 0,
      facets: [],
    });
    return undefined;
  } catch (error) {
    // A token that may not search, or a search that is not there yet, is a token nevertheless.
    const isKnown = error instanceof CallRejectedError && error.status !== 401;
    return isKnown ? undefined : error instanceof Error ? error.message : String(error);
  }
}
