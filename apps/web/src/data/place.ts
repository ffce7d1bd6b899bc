/** The script lies in the folder of the pages, behind whatever prefix a proxy puts in front. */
const PAGES = new URL('.', import.meta.url);

/** The path of the pages, without a slash at its end: `/ui`. */
export const PAGES_PATH = PAGES.pathname.replace(/\/$/, '');
/** The address of the interface, without a slash at its end. */
export const API = new URL('..', PAGES).href.replace(/\/$/, '');
