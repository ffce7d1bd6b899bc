import { toContent, type Content } from '@stratalog/http';
import { html } from '../html';

/** **Units**: seconds. */
const AGAIN_AFTER = '1';

/** Says that the pages are being built, and reloads itself until they are there; or that they could not be built. */
export function waitingPage(hasFailed: boolean): Content {
  const title = hasFailed ? 'The pages could not be built' : 'The pages are being built';
  const text = hasFailed
    ? html`The output of <code>npm start</code> says why. Calls are answered as usual.`
    : html`They appear here in a few seconds. Calls are answered already.`;
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Stratalog</title>
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          <p>${text}</p>
        </main>
      </body>
    </html>`;
  return toContent('text/html; charset=utf-8', page.text, {
    'cache-control': 'no-store',
    ...(hasFailed ? {} : { refresh: AGAIN_AFTER, 'retry-after': AGAIN_AFTER }),
  });
}
