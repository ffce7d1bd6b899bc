import { needsToken, type AuthMode, type DocumentedRoute } from '@stratalog/http';
import { html, type Html } from '../html';

const WHO_NEEDS: Readonly<Record<Exclude<AuthMode, 'none'>, string>> = {
  all: 'Every call but those to the model and to the server’s own pages needs a token here.',
  operations: 'Only calls marked operator need a token here.',
};

/**
 * Renders the field for a token for calls of `routes` from the page; nothing when none of them needs one. The
 * field has no name and is not stored: leaving the page discards the token.
 */
export function tokenField(routes: readonly DocumentedRoute[], mode: AuthMode): Html | undefined {
  if (mode === 'none' || !routes.some(({ access }) => needsToken(mode, access))) return undefined;
  return html`<div class="token">
    <label for="token">Token</label>
    <input id="token" type="password" autocomplete="off" spellcheck="false" aria-describedby="token-hint" />
    <p id="token-hint" class="hint">
      ${WHO_NEEDS[mode]} The page keeps it in memory only. The operator’s token:
      <code>npm run cli -- token</code>
    </p>
  </div>`;
}
