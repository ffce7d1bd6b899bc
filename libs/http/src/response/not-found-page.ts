import { createHash } from 'node:crypto';
import { escapeHtml } from './escape-html';

const STYLE =
  ':root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:15vh auto;padding:0 1.5rem}p{overflow-wrap:anywhere}';
const STYLE_DIGEST = createHash('sha256').update(STYLE).digest('base64');

/** The page may load its own style only; the browser requests the icon on the page's behalf. */
export const NOT_FOUND_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_DIGEST}'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'cache-control': 'no-store',
  vary: 'accept',
} as const;

export interface NotFound {
  readonly message: string;
  /** The page that lists the available routes. */
  readonly docUrl: string;
}

/** Renders the page for a person in a browser who followed a wrong link or mistyped an address. */
export function notFoundPage({ message, docUrl }: NotFound): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Not found: Stratalog</title><style>${STYLE}</style></head>
<body><h1>Not found</h1><p>${escapeHtml(message)}</p><p><a href="${escapeHtml(docUrl)}">What there is</a></p></body>
</html>
`;
}
