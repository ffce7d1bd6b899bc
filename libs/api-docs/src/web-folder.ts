import { fileURLToPath } from 'node:url';

/** The built web pages. The same from the sources and from a bundle: both lie three folders below the root. */
export const WEB_FOLDER = fileURLToPath(new URL('../../../dist/apps/web/site', import.meta.url));
